"""What the tests watch a page for: faults of accessibility, width, and anything that leaves for elsewhere."""

from __future__ import annotations

from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

LOCALES = ("en-US", "zh-CN")
"""Both languages."""
COLOURS = ["color-contrast", "link-in-text-block"]
"""What axe asks of colours."""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def faults(page: Page, within: str | None = None) -> list[str]:
    """Return what axe finds wrong in either colour scheme; `within` is a selector, for a part of the page.

    A scheme changes colours and nothing else, so all that axe asks besides is asked once.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        only = None if scheme == SCHEMES[0] else COLOURS
        found += [f"{scheme}, {fault}" for fault in page.evaluate(_FAULTS, [within, scheme, only])]
    return found


# A page hears of a scheme when it is drawn next, and some draw it later still. A colour on its way to another one is
# neither of them, and its end may start those of the elements within. What axe finds right is as large as a page, and
# stays there.
_FAULTS = """async ([within, scheme, only]) => {
    const drawn = () => [undefined, scheme].includes(document.documentElement.dataset.mantineColorScheme);
    const isUnderWay = each => each instanceof CSSTransition && each.playState === "running";
    for (let still = 0; still < 2; ) {
        await new Promise(requestAnimationFrame);
        const arrived = !document.getAnimations().some(isUnderWay);
        still = drawn() && arrived ? still + 1 : 0;
    }
    const options = { resultTypes: ["violations"], ...(only && { runOnly: { type: "rule", values: only } }) };
    return (await axe.run(within ?? document, options)).violations
        .flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html}`));
}"""


def is_too_wide(page: Page) -> bool:
    """Return whether the page scrolls sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


def strangers(page: Page, address: str) -> list[str]:
    """Return a list that fills with every request that leaves for another address."""
    left: list[str] = []
    page.on("request", lambda request: None if request.url.startswith(address) else left.append(request.url))
    return left
