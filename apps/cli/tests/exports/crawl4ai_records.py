"""What crawl4ai's own strategy reads with schemas: SCHEMA PAGE [SCHEMA PAGE…], a line of JSON a page.

The package's `__init__` imports its crawlers with a gigabyte of dependencies, so only the module with the strategy
is loaded.
"""

import importlib.util
import json
import pathlib
import sys
import types

package = types.ModuleType("crawl4ai")
package.__path__ = list(importlib.util.find_spec("crawl4ai").submodule_search_locations)
sys.modules["crawl4ai"] = package
from crawl4ai.extraction_strategy import JsonCssExtractionStrategy  # noqa: E402

for schema, page in zip(sys.argv[1::2], sys.argv[2::2]):
    strategy = JsonCssExtractionStrategy(json.loads(pathlib.Path(schema).read_text(encoding="utf-8")))
    print(json.dumps(strategy.extract("", pathlib.Path(page).read_text(encoding="utf-8"))))
