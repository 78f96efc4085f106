"""Uses the pages of a lab as a person would, with Playwright and a Chromium of the system.

Arguments: the address of the lab, a record as CSV, the browser, and perhaps a folder for pictures of the pages. Prints what it saw as JSON; the test in browser.rs judges it.
"""

import json
import sys

from playwright.sync_api import sync_playwright

address, record, browser = sys.argv[1:4]
pictures_to = sys.argv[4] if len(sys.argv) > 4 else None
# a name of a file and a name of a column that would run if they were taken as markup
MARKUP = "<img src=x onerror=window.hit=1>"
seen = {"complaints": [], "widths": {}}


def photograph(page, name):
    """The page at three widths, in the dark, and the first screen of it as in the documents."""
    if pictures_to is None:
        return
    for width in (390, 800, 1300):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(200)
        page.screenshot(path=f"{pictures_to}/{name}-{width}.png", full_page=True)
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=f"{pictures_to}/{name}-dark.png", full_page=True)
    page.emulate_media(color_scheme="light")


def walk(page, name):
    """Goes through a page with Tab alone: where it leads, and where nothing shows that it is there."""
    # from the first place of the page on, wherever the last click was
    page.evaluate("document.querySelector('.skip').focus()")
    places, unseen = [], []
    for _ in range(150):
        page.keyboard.press("Tab")
        here = page.evaluate(
            """() => {
                const node = document.activeElement;
                if (node === document.body) return null;
                node.dataset.walk ??= String(Math.random());
                const style = getComputedStyle(node);
                const shown = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || node.tagName === "IFRAME" || node.matches(".drop input, .skip");
                return [node.dataset.walk, node.outerHTML.slice(0, 80), shown];
            }"""
        )
        # beyond the last place lies the browser itself
        if here is None or (places and here[0] == places[0]):
            break
        if here[0] not in places:
            places.append(here[0])
        if not here[2]:
            unseen.append(here[1])
    else:
        unseen.append("no way out")
    seen.setdefault("walk", {})[name] = [len(places), unseen]


def swipe(page, begin, end):
    """A finger that goes over the glass from one place to another."""
    touch = page.context.new_cdp_session(page)
    steps = [tuple(a + k / 8 * (b - a) for a, b in zip(begin, end)) for k in range(9)]
    for kind, (x, y) in zip(["touchStart"] + 8 * ["touchMove"], steps):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(200)


def by_finger(page):
    """A telephone: a tap reads a plot, a finger that goes sideways looks closer, and one that goes up scrolls the page."""
    page.goto(f"{address}#/scenario")
    page.wait_for_selector(".verdict .good")
    page.click("#run")
    page.wait_for_selector("#results .plot-list polyline")
    page.wait_for_selector("figure:has(h2:text-is('Phase portrait')) polyline")
    found = {}
    for name, place in [("trace", ".plot-list svg"), ("portrait", "figure:has(> h2:text-is('Phase portrait')) > svg")]:
        plot = page.locator(place).first
        plot.evaluate("plot => plot.scrollIntoView({ block: 'center' })")
        box = plot.bounding_box()
        at = lambda x, y: (box["x"] + x * box["width"], box["y"] + y * box["height"])
        span = lambda: plot.evaluate("plot => plot.drawn.xs[1] - plot.drawn.xs[0]")
        page.touchscreen.tap(*at(0.5, 0.5))
        page.wait_for_timeout(100)
        read = plot.evaluate("plot => plot.parentNode.querySelector('output').textContent")
        whole, top = span(), page.evaluate("scrollY")
        swipe(page, at(0.4, 0.3), at(0.7, 0.5))
        for _ in range(250):
            if span() != whole:
                break
            page.wait_for_timeout(20)
        closer, still = span() / whole, page.evaluate("scrollY") == top
        swipe(page, at(0.5, 0.7), at(0.52, 0.2))
        found[name] = {"read": read, "closer": closer, "still": still, "scrolled": page.evaluate("scrollY") - top}
    seen["touch"] = found
    # in pixels of the screen
    letters = "texts => Math.min(...texts.map(text => parseFloat(getComputedStyle(text).fontSize) * Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b)))"
    seen["letters"] = page.locator("#results svg text").evaluate_all(letters)
    count = "plots => plots.map(plot => Math.min(...['middle', 'end'].map(at => plot.querySelectorAll(`.tick[text-anchor=${at}]`).length)))"
    seen["ticks"] = page.locator("#results svg[role=application]").evaluate_all(count)


# Text with less contrast than 4.5 to 1 against what is behind it (WCAG 2, AA).
FAINT = """() => {
    const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const colour = (text) => {
        pixel.clearRect(0, 0, 1, 1);
        pixel.fillStyle = text;
        pixel.fillRect(0, 0, 1, 1);
        return pixel.getImageData(0, 0, 1, 1).data;
    };
    const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, share, k) => {
        const x = c[k] / 255;
        return sum + share * (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    }, 0);
    const behind = (node) => {
        for (; node; node = node.parentElement) {
            const found = colour(getComputedStyle(node).backgroundColor);
            if (found[3] > 230) return found;
        }
        return [255, 255, 255, 255];
    };
    const written = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== "");
    return [...document.querySelectorAll("body *")].filter((node) => {
        if (!written(node) || !node.checkVisibility() || node.matches("script, style, option, title, :disabled")) return false;
        const style = getComputedStyle(node);
        const own = colour(node instanceof SVGElement ? style.fill : style.color);
        const [high, low] = [light(own), light(behind(node))].sort((a, b) => b - a);
        return own[3] > 0 && (high + 0.05) / (low + 0.05) < 4.5;
    }).map((node) => node.outerHTML.slice(0, 80));
}"""


def contrast(page):
    """Text that is hard to read, in the light and in the dark."""
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(100)
        seen.setdefault("faint", []).extend(page.evaluate(FAINT))


def complain(message):
    if message.type in ("error", "warning"):
        seen["complaints"].append(message.text)


with sync_playwright() as playwright:
    chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
    page = chromium.new_page(viewport={"width": 1300, "height": 900})
    page.set_default_timeout(120_000)
    page.on("console", complain)
    page.on("pageerror", lambda error: seen["complaints"].append(str(error)))

    # a record is dropped and identified
    page.goto(f"{address}#/log")
    page.set_input_files("#file", record)
    page.select_option("label:has-text('Law') select", "coulomb")
    page.click("#identify")
    page.wait_for_selector(".pictures img")
    row = page.locator("tr:has(td:text-is('fc')) td").all_inner_texts()
    seen["fc"] = row[1]
    seen["command"] = page.locator("pre.command").first.inner_text()
    pictures = page.locator(".pictures img")
    pictures.first.evaluate("picture => picture.decode()")
    seen["pictures"] = pictures.count()

    # the law predicts the record that it was found in
    page.click("button:has-text('Judge them all')")
    judged = page.locator("section:has(> h2:text-is('Laws side by side')) td.number")
    while judged.count() < 3:
        page.wait_for_timeout(50)
    seen["judged"] = judged.all_inner_texts()

    # the law live, with the mass that was identified with it
    page.click("button:text-is('Sliders')")
    live = page.frame_locator("#results iframe")
    live.locator("[data-part=breakaway-text]:has-text('N')").wait_for()
    seen["live"] = [live.locator("[data-part=breakaway-text]").inner_text(), live.locator("[data-part=rig] .control:has(label:text-is('mass')) input[type=number]").input_value()]

    photograph(page, "log")
    walk(page, "log")
    contrast(page)

    # markup in names stays text
    text = f"t [s],{MARKUP},force [N]\n" + "".join(f"{k},{k * k % 7},{k % 5}\n" for k in range(40))
    page.set_input_files("#file", {"name": f"{MARKUP}.csv", "mimeType": "text/csv", "buffer": text.encode()})
    page.wait_for_selector(f"h2.file-name:has-text('{MARKUP}.csv')")
    page.wait_for_selector(".plot-list polyline")
    page.wait_for_timeout(300)
    seen["column_as_text"] = MARKUP in page.locator("#content").inner_text()
    seen["hit"] = page.evaluate("window.hit ?? null")

    # a mistake is shown at its place, a run is drawn, a long one is stopped
    page.goto(f"{address}#/scenario")
    page.select_option("select[aria-label=scenario]", "b1")
    page.wait_for_selector(".verdict .good")
    editor = page.locator("textarea")
    good = editor.input_value()
    # markup as the title of a scenario and as the name of what is measured
    title = next(line for line in good.splitlines() if line.startswith("title"))
    marked = good.replace(title, f'title = "{MARKUP}"', 1).replace("[measure]", f'[measure]\n"{MARKUP}" = {{ final = "block.x" }}', 1)
    editor.fill(marked)
    page.wait_for_selector(f".verdict:has-text('{MARKUP}')")
    page.click("#run")
    page.wait_for_selector(f"#results td:text-is('{MARKUP}')")
    page.wait_for_selector("#results .plot-list polyline")
    page.wait_for_timeout(300)
    seen["hit_by_scenario"] = page.evaluate("window.hit ?? null")
    editor.fill(good.replace("[run]", "[run]\nennd = 1", 1))
    page.wait_for_selector(".lines .wrong")
    seen["wrong"] = page.locator(".verdict .error").inner_text()
    contrast(page)
    editor.fill(good)
    page.wait_for_selector(".verdict .good")
    page.click("#run")
    page.wait_for_selector(f"#results:not(:has-text('{MARKUP}')) .plot-list polyline")
    photograph(page, "scenario")
    walk(page, "scenario")
    contrast(page)
    # values under the pointer, a part of the time by dragging and by keys, and the whole again
    plot = page.locator(".plot-list svg").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    across = lambda share: (box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    window = lambda: page.evaluate("document.querySelector('.plot-list svg').drawn.xs")
    page.mouse.move(*across(0.5))
    seen["hover"] = page.locator(".plot-list output").first.inner_text()
    seen["windows"] = [window()]
    page.mouse.down()
    page.mouse.move(*across(0.6), steps=3)
    page.mouse.up()

    def drawn_after(before):
        """The window, once it is another one: rows come from the server."""
        for _ in range(500):
            if window() != before:
                break
            page.wait_for_timeout(20)
        return window()

    seen["windows"].append(drawn_after(seen["windows"][0]))
    plot.focus()
    page.keyboard.press("+")
    closer = drawn_after(seen["windows"][1])
    page.keyboard.press("Shift+ArrowRight")
    seen["windows"].append(drawn_after(closer))
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    seen["read"] = page.locator(".plot-list output").first.inner_text()
    seen["focus"] = page.evaluate("document.activeElement === document.querySelector('.plot-list svg')")
    page.keyboard.press("0")
    seen["windows"].append(drawn_after(seen["windows"][2]))
    seen["plots"] = page.locator("#results .plot-list figure").count()
    for width in (1300, 800, 390):
        page.set_viewport_size({"width": width, "height": 900})
        seen["widths"][width] = page.evaluate("document.documentElement.scrollWidth")
    page.set_viewport_size({"width": 1300, "height": 900})
    page.emulate_media(media="print")
    seen["on_paper"] = page.locator("pre.on-paper").inner_text().strip() == good.strip() and page.locator("textarea").is_hidden()
    page.emulate_media(media="screen")
    page.select_option("select[aria-label=scenario]", "a7")
    # a function of Playwright that waits for a value would need 'unsafe-eval', which the pages do not allow
    while "end = 60" not in editor.input_value():
        page.wait_for_timeout(50)
    page.wait_for_selector(".verdict:has-text('60 s')")
    editor.fill(editor.input_value().replace("end = 60", "end = 1e6"))
    page.wait_for_selector(".verdict:has-text('1e6 s')")
    page.click("#run")
    # by keys: the button stays the same while the job goes on
    page.locator("#stop").focus()
    page.wait_for_timeout(1000)
    seen["stop_kept"] = page.evaluate("document.activeElement.id")
    page.keyboard.press("Enter")
    page.wait_for_selector("#job[data-state=stopped]")
    seen["stopped"] = page.locator("#job strong").inner_text()

    # a map, whose points are reached by arrow keys
    page.goto(f"{address}#/map")
    page.wait_for_selector(".verdict .good")
    for field in page.locator("label:has-text('points') input").all():
        field.fill("3")
    page.click("#sweep")
    page.wait_for_selector("rect.cell")
    walk(page, "map")
    contrast(page)
    page.locator("rect.cell[tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    seen["cell"] = page.locator("output.below").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector("#results .plot-list polyline")
    # a rectangle by keys, its map, and the one before it
    ends = lambda: page.locator("label:has-text('from') input, label:text-matches('^to') input").evaluate_all("fields => fields.map((field) => field.value)")
    seen["ends"] = [ends()]
    cells = page.locator("rect.cell")
    cells.last.focus()
    for key in ("Shift+ArrowLeft", "Shift+ArrowDown"):
        page.keyboard.press(key)
    seen["rectangle"] = page.locator("output.below").inner_text()
    page.keyboard.press("Enter")
    back = page.locator("button:text-is('Back to the wider map')")
    back.wait_for()
    seen["ends"].append(ends())
    seen["focus_on_map"] = page.evaluate("document.activeElement.classList.contains('cell')")
    back.click()
    back.wait_for(state="detached")
    seen["ends"].append(ends())

    # a slider of a law changes its curve
    page.goto(f"{address}#/law")
    page.select_option("#law", "coulomb")
    frame = page.frame_locator("iframe")
    frame.locator("h1:text-is('coulomb')").wait_for()
    frame.locator("#law0-fc").fill("0.5")
    frame.locator("[data-part=command]:has-text('fc=0.5')").wait_for()
    page.wait_for_timeout(300)
    seen["frame"] = page.locator("iframe").evaluate("frame => frame.clientHeight")
    seen["framed"] = frame.locator("html").evaluate("html => html.offsetHeight")
    seen["before"] = frame.locator("[data-part=steady] .before").count()
    seen["slider"] = frame.locator(".control:has(#law0-fc) input[type=range]").get_attribute("aria-valuetext")
    walk(page, "law")
    seen["law"] = frame.locator("[data-part=breakaway-text]").inner_text()
    photograph(page, "law")
    # as a page of its own
    page.goto(f"{address}law/lugre#fs=2")
    page.wait_for_selector("polyline.before")
    contrast(page)
    telephone = chromium.new_context(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True).new_page()
    telephone.set_default_timeout(120_000)
    by_finger(telephone)
    telephone.close()
    if pictures_to is not None:
        # the picture of README and book: a run, without the editor
        page.goto(f"{address}#/scenario")
        page.wait_for_selector(".verdict .good")
        page.select_option("select[aria-label=scenario]", "b1")
        page.select_option("select[aria-label=scenario]", "a7")
        page.wait_for_selector(".verdict:has-text('LuGre stick-slip')")
        page.click("#run")
        page.wait_for_selector("#results .stage text:has-text('hand')")
        page.wait_for_selector("#results .plot-list polyline")
        page.wait_for_selector("figure:has(h2:text-is('Phase portrait')) polyline")
        page.click("text=Hide")
        page.locator("#results h2:has-text('Motion')").scroll_into_view_if_needed()
        page.locator("#results .row input[type=range]").fill("0.35")
        page.evaluate("document.querySelector('#results').scrollIntoView()")
        page.wait_for_timeout(400)
        page.screenshot(path=f"{pictures_to}/lab.png")
        # that of a live page, after a slider was moved
        page.set_viewport_size({"width": 1240, "height": 900})
        page.goto(f"{address}law/lugre#fs=2")
        page.wait_for_selector("polyline.before")
        page.screenshot(path=f"{pictures_to}/live-page.png", full_page=True)
    chromium.close()

print(json.dumps(seen))
