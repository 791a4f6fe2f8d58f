"""SWDE pages of each site, read with domains that do not know the labels that only this site uses.

Labels of domains carry no origin. A label that the pages of one site use and those of no other opened site may have been
added because of that site, so it is masked while the site is scored. This is stricter than necessary: a label from general
knowledge that only one of the sites happens to use is masked too. Gazetteers come from outside the corpora
(`PROVENANCE.md` of each domain) and stay whole.

    python3 research/fit/leave_site_out.py CORPUS --lab target/debug/copal-lab --unopened FILE -o PREDICTIONS.jsonl
        [--together N]

Score the predictions with `research/values/details_by_site.py`.
"""

import argparse
import collections
import html
import json
import os
import re
import shutil
import subprocess
import tempfile

PACKS = os.path.join(os.path.dirname(__file__), '..', '..', 'domains', 'packs')
DOMAINS = {'auto': 'used-cars', 'book': 'books', 'camera': 'cameras', 'job': 'jobs', 'movie': 'movies',
           'nbaplayer': 'nba-players', 'restaurant': 'restaurants', 'university': 'universities'}


def words(text):
    return ' ' + ' '.join(re.findall(r'\w+', text.casefold())) + ' '


def page_words(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        text = re.sub(r'(?is)<(script|style)\b.*?</\1>|<!--.*?-->', ' ', file.read())
    return words(html.unescape(re.sub(r'<[^>]*>', ' ', text)))


def label_list(match):
    return [x.strip() for x in re.findall(r"'[^']*'|\"[^\"]*\"|[^,\[\]]+", match.group(2)) if x.strip()]


def without_labels(text, masked):
    def kept(match):
        labels = [x for x in label_list(match) if words(x.strip('\'"')) not in masked]
        # a domain file may not have an empty list; a label that no page has does nothing
        return match.group(1) + '[' + (', '.join(labels) or '"- none -"') + ']'
    return re.sub(r'(\n    labels: )\[([^\]]*)\]', kept, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--lab', required=True)
    parser.add_argument('--unopened', required=True)
    parser.add_argument('--together', default='8')
    parser.add_argument('-o', '--output', required=True)
    args = parser.parse_args()
    with open(args.unopened, encoding='utf-8') as file:
        unopened = set(file.read().split())
    sites = collections.defaultdict(list)
    with open(os.path.join(args.corpus, 'index.jsonl'), encoding='utf-8') as file:
        for row in map(json.loads, file):
            if row['source'] == 'swde' and row['task'] == 'details' and (row.get('domain') or row['site']) not in unopened:
                sites[row['vertical'], row['site']].append(row['id'])
    texts = {site: [page_words(os.path.join(args.corpus, x + '.html')) for x in ids] for site, ids in sites.items()}
    dropped = 0
    with open(args.output, 'w', encoding='utf-8') as output:
        for (vertical, site), ids in sorted(sites.items()):
            with open(os.path.join(PACKS, DOMAINS[vertical], 'domain.yaml'), encoding='utf-8') as file:
                text = file.read()
            labels = {words(x.strip('\'"')) for m in re.finditer(r'(\n    labels: )\[([^\]]*)\]', text) for x in label_list(m)}
            uses = lambda name, label: any(label in page for page in texts[name])
            masked = {label for label in labels if uses((vertical, site), label)
                      and not any(uses(other, label) for other in sites if other != (vertical, site))}
            dropped += len(masked)
            with tempfile.TemporaryDirectory() as folder:
                packs = os.path.join(folder, 'packs')
                shutil.copytree(PACKS, packs)
                pack = os.path.join(packs, DOMAINS[vertical], 'domain.yaml')
                with open(pack, 'w', encoding='utf-8') as file:
                    file.write(without_labels(text, masked))
                own = os.path.join(folder, 'own.jsonl')
                subprocess.run([args.lab, 'eval', args.corpus, '--part', 'opened', '--unopened', args.unopened,
                                '--task', 'details', '--only', os.path.dirname(ids[0]) + '/', '--together', args.together,
                                '--vertical', f'{vertical}={pack}', '-o', own], check=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
                with open(own, encoding='utf-8') as file:
                    output.write(file.read())
            print(f'{site}: {len(masked)} of {len(labels)} labels masked', flush=True)
    print(f'{dropped} labels masked at {len(sites)} sites')


if __name__ == '__main__':
    main()
