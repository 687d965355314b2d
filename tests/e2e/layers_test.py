"""tools/check_layers, on small trees that break one rule each."""
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ['STRAKE_SOURCE']

TABLE = '''
base  :
value : base
cel   : value
meta  : value
cli   : cel meta
header yaml.h : src/value/yaml_*.cc
'''
TREE = {
    'src/base/CMakeLists.txt': 'strake_module(NAME base HEADERS a.h)',
    'src/base/a.h': '#include <string>\n',
    'src/value/CMakeLists.txt': 'strake_module(NAME value DEPS base SOURCES yaml_reader.cc)',
    'src/value/yaml_reader.cc': '#include <yaml.h>\n#include "base/a.h"\n',
    'src/cel/CMakeLists.txt': 'strake_module(NAME cel DEPS value TESTS x_test.cc TEST_DEPS meta)',
    'src/cel/x.cc': '#include "base/a.h"\n',
    'src/meta/CMakeLists.txt': 'strake_module(NAME meta DEPS value)',
    'src/cel/x_test.cc': '#include "meta/m.h"\n',
}
# A module with folders: its root on top of two of them, a third on top of the root, and one file above all.
ROOMS = TABLE + '''
folder cel/syntax :
folder cel/eval   : cel/syntax
folder cel        : cel/eval
folder cel/tools  : cel
folder cel/front.* : cel/tools
'''
ROOMS_TREE = {
    'src/cel/syntax/s.h': '#include "base/a.h"\n',
    'src/cel/eval/e.h': '#include "cel/syntax/s.h"\n#include "cel/eval/f.h"\n',
    'src/cel/c.h': '#include "cel/syntax/s.h"\n#include "cel/eval/e.h"\n#include "cel/d.h"\n',
    'src/cel/tools/t.cc': '#include "cel/c.h"\n#include "cel/syntax/s.h"\n',
    'src/cel/front.h': '#include "cel/tools/t.h"\n#include "cel/c.h"\n',
    'src/cel/front.cc': '#include "cel/front.h"\n#include "cel/tools/t.h"\n',
    'src/cel/syntax/s_test.cc': '#include "cel/front.h"\n',
    'src/cel/syntax/test_s.h': '#include "cel/front.h"\n',
}


def check_rooms(changes=None, table=ROOMS):
    return check({**ROOMS_TREE, **(changes or {})}, table)


def check(changes=None, table=TABLE):
    with tempfile.TemporaryDirectory() as root:
        for name, text in {**TREE, **(changes or {}), 'tools/layers.txt': table}.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w') as file:
                file.write(text)
        got = subprocess.run([sys.executable, '-B', os.path.join(SOURCE, 'tools/check_layers'), '--root', root],
                             text=True, capture_output=True)
        return got.returncode, got.stderr


class Layers(unittest.TestCase):
    def test_accepts_includes_that_point_down(self):
        self.assertEqual(check(), (0, ''))

    def test_refuses_an_include_that_points_up(self):
        self.assertEqual(check({'src/base/b.cc': '#include "value/v.h"\n'}),
                         (1, 'src/base/b.cc:1: base may not include value ("value/v.h")\n'))

    def test_refuses_an_include_that_points_sideways(self):
        self.assertEqual(check({'src/cel/y.cc': '\n#include "meta/m.h"\n'}),
                         (1, 'src/cel/y.cc:2: cel may not include meta ("meta/m.h")\n'))

    def test_refuses_an_include_that_cmake_does_not_know(self):
        code, fault = check({'src/cel/CMakeLists.txt': 'strake_module(NAME cel TEST_DEPS meta)'})
        self.assertEqual(code, 1)
        self.assertIn('cel includes base, which its CMakeLists.txt does not name', fault)

    def test_refuses_a_dependency_in_cmake_that_the_table_does_not_allow(self):
        code, fault = check({'src/meta/CMakeLists.txt': 'strake_module(NAME meta DEPS value cel)'})
        self.assertEqual((code, fault), (1, 'src/meta/CMakeLists.txt: DEPS cel: meta may not depend on it\n'))

    def test_refuses_a_cycle_in_the_table(self):
        code, fault = check(table=TABLE.replace('base  :', 'base  : cel'))
        self.assertEqual(code, 1)
        self.assertIn('a cycle: base -> cel -> value -> base', fault)

    def test_refuses_a_folder_that_the_table_does_not_name(self):
        self.assertEqual(check({'src/util/u.h': '', 'src/util/u.cc': ''}),
                         (1, 'src/util: this folder is not in tools/layers.txt\n'))

    def test_refuses_a_confined_header_elsewhere(self):
        self.assertEqual(check({'src/value/json.cc': '#include <yaml.h>\n'}),
                         (1, 'src/value/json.cc:1: <yaml.h> belongs in src/value/yaml_*.cc only\n'))

    def test_accepts_folders_of_a_module_that_include_those_below_them(self):
        self.assertEqual(check_rooms(), (0, ''))

    def test_refuses_a_folder_that_includes_one_above_it(self):
        self.assertEqual(check_rooms({'src/cel/syntax/x.cc': '#include "cel/eval/e.h"\n'}),
                         (1, 'src/cel/syntax/x.cc:1: cel/syntax may not include cel/eval ("cel/eval/e.h")\n'))

    def test_refuses_a_folder_that_includes_the_root_above_it(self):
        self.assertEqual(check_rooms({'src/cel/eval/x.cc': '#include "cel/c.h"\n'}),
                         (1, 'src/cel/eval/x.cc:1: cel/eval may not include cel ("cel/c.h")\n'))

    def test_refuses_a_root_that_includes_a_folder_above_it(self):
        self.assertEqual(check_rooms({'src/cel/d.h': '#include "cel/tools/t.h"\n'}),
                         (1, 'src/cel/d.h:1: cel may not include cel/tools ("cel/tools/t.h")\n'))

    def test_refuses_an_include_of_a_file_that_stands_above_its_folder(self):
        self.assertEqual(check_rooms({'src/cel/d.h': '#include "cel/front.h"\n'}),
                         (1, 'src/cel/d.h:1: cel may not include cel/front.* ("cel/front.h")\n'))

    def test_other_modules_may_include_every_folder(self):
        self.assertEqual(check_rooms({'src/cli/CMakeLists.txt': 'strake_module(NAME cli DEPS cel)',
                                      'src/cli/c.cc': '#include "cel/syntax/s.h"\n#include "cel/front.h"\n'}), (0, ''))

    def test_refuses_a_cycle_between_folders(self):
        code, fault = check_rooms(table=ROOMS.replace('folder cel/syntax :', 'folder cel/syntax : cel'))
        self.assertEqual(code, 1)
        self.assertIn('a cycle: cel/syntax -> cel -> cel/eval -> cel/syntax', fault)

    def test_refuses_a_folder_inside_a_module_that_the_table_does_not_name(self):
        self.assertEqual(check_rooms({'src/cel/lib/l.h': '', 'src/meta/names/n.h': ''}),
                         (1, 'src/cel/lib: this folder is not in tools/layers.txt\n'
                             'src/meta/names: this folder is not in tools/layers.txt\n'))

    def test_refuses_a_line_of_a_folder_that_names_another_module(self):
        code, fault = check_rooms(table=ROOMS + 'folder meta :\nfolder meta/names : cel\n')
        self.assertEqual((code, fault), (1, 'layers.txt: folder meta/names may include cel, which is another module\n'))


if __name__ == '__main__':
    unittest.main()
