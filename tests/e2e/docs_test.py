"""Documents that repeat what the program knows must say the same."""
import os
import re
import unittest

import strake


def read(name):
    with open(os.path.join(strake.SOURCE, name)) as file:
        return file.read()


class Docs(unittest.TestCase):
    def test_exit_codes_are_those_of_the_man_page(self):
        man = strake.run('internal', 'man').stdout.split('.SH "EXIT STATUS"')[1].split('.SH')[0]
        shown = re.findall(r'\.B (\d)\n(.*): (.*)\.\n', man)
        written = re.findall(r'^\| (\d) \| (.*?) \| (.*?) \|', read('docs/exit-codes.md'), re.M)
        self.assertEqual(len(shown), 6)
        self.assertEqual(written, [(number, name, meaning.replace('\\-', '-')) for number, name, meaning in shown])

    def test_architecture_names_every_module(self):
        text = read('docs/ARCHITECTURE.md')
        for module in sorted(os.listdir(os.path.join(strake.SOURCE, 'src'))):
            if os.path.isdir(os.path.join(strake.SOURCE, 'src', module)):
                self.assertTrue(f'\n| `{module}` | here |' in text, f'docs/ARCHITECTURE.md does not list {module} as here')

    def test_readme_shows_the_two_commands(self):
        readme = read('README.md')
        self.assertIn('make run', readme)
        self.assertIn('make test', readme)

    def test_links_between_documents_lead_somewhere(self):
        for name in ('README.md', 'CONTRIBUTING.md', 'docs/ARCHITECTURE.md', 'docs/exit-codes.md'):
            for target in re.findall(r'\]\(([^)#:]+)\)', read(name)):
                path = os.path.join(strake.SOURCE, os.path.dirname(name), target)
                self.assertTrue(os.path.exists(path), f'{name} links to {target}')


if __name__ == '__main__':
    unittest.main()
