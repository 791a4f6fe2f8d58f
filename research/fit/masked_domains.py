"""Writes the built-in domains with a share of their labels and terms left out at random.

What a domain knows was partly learned from pages like those that it is tested on. A site that nobody has seen uses other
words. Domains that have forgotten half of theirs measure how much of the result is left then.

    python3 research/fit/masked_domains.py FOLDER [--share 0.5] [--seed 1]

Use a domain of FOLDER with `copal-lab eval CORPUS --task details --vertical auto=FOLDER/used-cars/domain.yaml`.
"""

import argparse
import glob
import os
import random
import re
import shutil

PACKS = os.path.join(os.path.dirname(__file__), '..', '..', 'domains', 'packs')


def mask_labels(text, random_source, share):
    def masked(match):
        labels = [x.strip() for x in re.findall(r"'[^']*'|\"[^\"]*\"|[^,\[\]]+", match.group(2)) if x.strip()]
        kept = [x for x in labels if random_source.random() >= share] or [random_source.choice(labels)]
        return match.group(1) + '[' + ', '.join(kept) + ']'
    return re.sub(r'(\n    labels: )\[([^\]]*)\]', masked, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder')
    parser.add_argument('--share', type=float, default=0.5)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()
    shutil.copytree(PACKS, args.folder, dirs_exist_ok=True)
    random_source = random.Random(args.seed)
    for pack in sorted(glob.glob(os.path.join(args.folder, '*', 'domain.yaml'))):
        with open(pack, encoding='utf-8') as file:
            text = file.read()
        with open(pack, 'w', encoding='utf-8') as file:
            file.write(mask_labels(text, random_source, args.share))
        for gazetteer in sorted(glob.glob(os.path.join(os.path.dirname(pack), '*.txt'))):
            with open(gazetteer, encoding='utf-8') as file:
                lines = file.read().split('\n')
            kept = [x for x in lines if x.startswith('#') or not x.strip() or random_source.random() >= args.share]
            with open(gazetteer, 'w', encoding='utf-8') as file:
                file.write('\n'.join(kept))


if __name__ == '__main__':
    main()
