"""Takes a picture of the page of the tour, where it is live, with Playwright and a Chromium of the system.

Arguments: the page, the browser, and the picture to write.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

page_file, browser, picture = sys.argv[1:4]
with sync_playwright() as playwright:
    chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
    page = chromium.new_page(viewport={"width": 1000, "height": 1440})
    page.goto(Path(page_file).resolve().as_uri())
    # stronger friction at rest: what was identified stays as thin lines
    page.locator(".control:has(label:text-is('fs')) input[type=number]").fill("100")
    page.wait_for_selector("polyline.before")
    page.evaluate("document.querySelector('.live').previousElementSibling.scrollIntoView()")
    page.wait_for_timeout(300)
    page.screenshot(path=picture)
    chromium.close()
