"""Documents that repeat what the program knows must say the same."""
import glob
import os
import re
import unittest

import strake


def read(name):
    with open(os.path.join(strake.SOURCE, name)) as file:
        return file.read()


def sections(text):
    """The anchors that a code host gives to headings."""
    return [re.sub(r'[^\w -]', '', heading.lower()).replace(' ', '-') for heading in re.findall(r'^#+ (.*)$', text, re.M)]


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
        documents = [os.path.relpath(path, strake.SOURCE) for path in
                     glob.glob(os.path.join(strake.SOURCE, '*.md')) + glob.glob(os.path.join(strake.SOURCE, 'docs/**/*.md'), recursive=True)]
        self.assertGreater(len(documents), 10)
        for name in documents:
            for target, section in re.findall(r'\]\(([^)#:]*)(?:#([^)]+))?\)', read(name)):
                path = os.path.normpath(os.path.join(os.path.dirname(name), target)) if target else name
                self.assertTrue(os.path.exists(os.path.join(strake.SOURCE, path)), f'{name} links to {target}')
                if section:
                    self.assertIn(section, sections(read(path)), f'{name} links to {target}#{section}')


if __name__ == '__main__':
    unittest.main()
