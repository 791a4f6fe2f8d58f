"""Tests of the generator and the scorer: python3 test_generate.py"""
import copy
import json
import pathlib
import random
import tempfile
import unittest

import check
import details
from attributes import score, score_page
from compare_values import align, key, right
from generate import load_templates, make_page, write_corpus
from gold import gold
from marks import maybe, record, value, wide
from tree import read


def perfect(answer, name='x'):
    """A prediction that equals the gold."""
    return {'id': name, 'regions': [{'role': 'primary', 'records': [
        {'text': ' '.join(entry['texts']), 'fields': copy.deepcopy(entry['fields'])} for entry in answer['records']]}]}


class Tests(unittest.TestCase):
    def test_areas_hold_the_object_and_nothing_around_it(self):
        for kind in ('home', 'car'):
            for template in range(details.TEMPLATES):
                html, area = details.make_page(kind, template, random.Random(7), 1)
                self.assertEqual((html, area), details.make_page(kind, template, random.Random(7), 1))
                found = [element for element in read(html).root.walk() if element.xpath() == area]
                self.assertEqual(len(found), 1, (kind, template, area))
                tags = [element.tag for element in found[0].walk()]
                self.assertIn('h1', tags)
                self.assertNotIn('footer', tags)

    def test_marks_give_gold(self):
        page = read('<html><body><ul>' + record(0, '<li><b>' + wide('bedrooms', value('bedrooms', '3') + ' beds') + '</b>' + value(
            'price', '<span>&pound;</span><i>350,000</i>') + maybe('title', 'Home')) + '</ul></body></html>')
        first = gold(page, None)['records'][0]
        self.assertEqual(first['fields'], {'bedrooms': '3', 'price': '£350,000'})
        self.assertIn('3 beds', first['accepted']['bedrooms'])
        self.assertEqual((first['maybe'], first['xpath']), ({'title': ['Home']}, '/html/body/ul[1]/li[1]'))

    def test_same_seed_same_page(self):
        template = load_templates()[0]
        self.assertEqual(make_page(template, '1', 1)[:2], make_page(template, '1', 1)[:2])
        self.assertNotEqual(make_page(template, '1', 1)[0], make_page(template, '2', 1)[0])

    def test_corpus_has_no_fault_and_gold_scores_full(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write_corpus(folder, 'test', 1, ['seen', 'unseen'])
            self.assertEqual(check.faults(folder), [])
            lines = [perfect(gold_of(path), path.relative_to(folder).with_suffix('').as_posix()) for path in folder.rglob('*.json')]
            for scores in score(folder, lines, None)[0].values():
                self.assertEqual((scores.records.figures()['f1'], scores.all().figures()['f1']), (1, 1))

    def test_wrong_value_counts_twice(self):
        answer = make_page(load_templates()[0], '1', 1)[1]
        prediction = perfect(answer)
        prediction['regions'][0]['records'][0]['fields']['price'] = '£1'
        tally = score_page(prediction, answer, {'price'}).attributes['price']
        self.assertEqual((tally.extra, tally.missed), (1, 1))

    def test_values(self):
        self.assertEqual(key('£ 350,000'), key('£350000'))
        self.assertTrue(right('url', 'https://a.example/car/1', ['/car/1']))
        self.assertFalse(right('bedrooms', '13', ['3', '3 beds']))
        self.assertEqual(align(['a b c', 'd e f'], ['d e f', 'a b x']), [(1, 0, 1.0), (0, 1, 2 / 3)])


def gold_of(path):
    """The gold answer in a file."""
    return json.loads(path.read_text(encoding='utf-8'))


if __name__ == '__main__':
    unittest.main()
