"""Signing in and acting in a browser: links, cookies, and requests that other sites' pages send."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import httpx
import pytest

from tests.patience import PATIENCE
from tests.running import RunningDemo

ELSEWHERE = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDemo]:
    with RunningDemo(f"sqlite:///{tmp_path_factory.mktemp('people') / 'handraise.db'}") as running:
        yield running


@pytest.fixture
def visitor(demo: RunningDemo) -> Iterator[httpx.Client]:
    with demo.visitor() as client:
        yield client


@pytest.fixture
def browser(demo: RunningDemo) -> Iterator[httpx.Client]:
    client = demo.browser("lin")
    yield client
    client.close()


def open_session(client: httpx.Client) -> str:
    opened = client.post("/api/v1/sessions", json={})
    assert opened.status_code == 201
    return str(opened.json()["id"])


def test_the_printed_link_signs_in_once_and_leads_to_the_console(demo: RunningDemo, visitor: httpx.Client) -> None:
    first = visitor.get(demo.sign_in_link)
    again = visitor.get(demo.sign_in_link)
    with demo.visitor() as another:
        late = another.get(demo.sign_in_link)
        stranger = another.get("/api/v1/me").json()

    assert (first.status_code, first.headers["location"]) == (303, "/console")
    assert visitor.get("/api/v1/me").json() == {"role": "lead", "id": "ada", "name": "Ada"}
    assert again.headers["location"] == "/console", "whoever is signed in may click twice"
    assert late.status_code == 410
    assert "used already" in late.text
    assert stranger["role"] == "nobody"


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(visitor: httpx.Client) -> None:
    cookie = visitor.post("/sign-in", data={"operator": "ada"}).headers["set-cookie"]

    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    secure = visitor.post("/sign-in", data={"operator": "ada"}, headers={"X-Forwarded-Proto": "https"})
    assert "Secure" in secure.headers["set-cookie"].split("; ")
    assert secure.headers["strict-transport-security"]


def test_a_plain_visit_to_the_console_of_the_demo_is_one_click_from_it(visitor: httpx.Client) -> None:
    sent_on = visitor.get("/console/requests/req_1")
    page = visitor.get(sent_on.headers["location"], headers={"Accept-Language": "zh-CN,zh;q=0.9"})
    clicked = visitor.post("/sign-in", data={"operator": "lin", "next": "/console/requests/req_1"})

    assert sent_on.headers["location"] == "/sign-in?next=/console/requests/req_1"
    assert 'value="lin"' in page.text
    assert 'lang="zh"' in page.text
    assert clicked.headers["location"] == "/console/requests/req_1"
    assert visitor.get("/api/v1/me").json()["id"] == "lin"
    assert visitor.get("/sign-in").headers["location"] == "/console"


def test_signing_in_comes_back_to_the_page_with_its_filters(visitor: httpx.Client) -> None:
    asked = "/console/%E5%AE%A2?tool=refund_order&search=a%26b+c%3D%25&next=//evil.example"

    sent_on = visitor.get(asked)
    page = visitor.get(sent_on.headers["location"])
    [back_to] = re.findall(r'name="next" value="([^"]*)"', page.text)
    clicked = visitor.post("/sign-in", data={"operator": "ada", "next": unescape(back_to)})

    assert sent_on.headers["location"].startswith("/sign-in?next=/console/")
    assert sent_on.headers["location"].count("&") == 0
    assert clicked.headers["location"] == asked


def test_an_address_too_long_to_come_back_to_keeps_its_page(visitor: httpx.Client) -> None:
    sent_on = visitor.get(f"/console/sessions?search={'x' * 10_000}")

    assert sent_on.headers["location"] == "/sign-in?next=/console/sessions"


@pytest.mark.parametrize("next_path", ["https://evil.example", "//evil.example", "/\\evil.example"])
def test_signing_in_never_leads_to_another_site(visitor: httpx.Client, next_path: str) -> None:
    clicked = visitor.post("/sign-in", data={"operator": "ada", "next": next_path})

    assert clicked.headers["location"] == "/console"
    assert visitor.get("/sign-in", params={"next": next_path}).headers["location"] == "/console"


def test_another_sites_page_can_sign_nobody_in(visitor: httpx.Client) -> None:
    assert visitor.post("/sign-in", data={"operator": "ada"}, headers=ELSEWHERE).status_code == 403
    assert visitor.post("/sign-in", data={"operator": "mallory"}).status_code == 422


def test_signing_out_ends_the_sign_in_itself(browser: httpx.Client, visitor: httpx.Client) -> None:
    copied = dict(browser.cookies)
    assert browser.post("/api/v1/sign-out").status_code == 204

    visitor.cookies.update(copied)
    assert visitor.get("/api/v1/requests").status_code == 401
    assert browser.get("/api/v1/me").json()["role"] == "nobody"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        (ELSEWHERE, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 202),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, 202),
    ],
)
def test_with_a_cookie_only_our_own_pages_change_anything(
    demo: RunningDemo, visitor: httpx.Client, headers: dict[str, str], status: int
) -> None:
    session_id = open_session(visitor)
    with httpx.Client(base_url=demo.address, cookies=visitor.cookies, timeout=PATIENCE) as bare:
        answer = bare.post(
            f"/api/v1/sessions/{session_id}/messages", json={"text": "hi"}, headers=headers, timeout=PATIENCE
        )

    assert answer.status_code == status


def test_with_a_cookie_a_plain_forms_body_is_refused(visitor: httpx.Client) -> None:
    session_id = open_session(visitor)

    form = visitor.post(f"/api/v1/sessions/{session_id}/messages", data={"text": "hi"})

    assert form.status_code == 403
    assert form.json()["detail"] == "The body is application/x-www-form-urlencoded, not JSON."


def test_a_customer_comes_back_to_each_session_by_its_cookie(demo: RunningDemo, visitor: httpx.Client) -> None:
    sessions = [open_session(visitor) for _ in range(3)]
    with demo.visitor() as another:
        open_session(another)
        theirs = [another.get(f"/api/v1/sessions/{session_id}") for session_id in [*sessions, "no-such-session"]]

    assert [visitor.get(f"/api/v1/sessions/{session_id}").status_code for session_id in sessions] == [200] * 3
    assert [answer.status_code for answer in theirs] == [404] * 4
    assert theirs[0].json()["fix"] == theirs[-1].json()["fix"]


def test_a_browser_keeps_its_newest_twenty_sessions(visitor: httpx.Client) -> None:
    sessions = [open_session(visitor) for _ in range(23)]

    held = [name for name in visitor.cookies if name.startswith("handraise_session_")]
    assert held == [f"handraise_session_{session_id}" for session_id in sessions[-20:]]


def test_a_program_carries_the_token_in_either_header(demo: RunningDemo, visitor: httpx.Client) -> None:
    opened = visitor.post("/api/v1/sessions", json={}).json()
    path = f"{demo.address}/api/v1/sessions/{opened['id']}"

    for headers in ({"Authorization": f"Bearer {opened['token']}"}, {"X-Api-Key": opened["token"]}):
        assert httpx.get(path, headers=headers, timeout=PATIENCE).json()["id"] == opened["id"]
        assert httpx.post(f"{path}/messages", json={"text": "hi"}, headers=headers, timeout=PATIENCE).status_code == 202
    assert httpx.get(path, timeout=PATIENCE).status_code == 401
    assert httpx.get(path, timeout=PATIENCE).headers["www-authenticate"].startswith("Bearer")


def test_an_operator_who_also_chats_is_the_customer_in_their_own_session(browser: httpx.Client) -> None:
    session_id = open_session(browser)

    sent = browser.post(f"/api/v1/sessions/{session_id}/messages", json={"text": "hi"})

    assert sent.status_code == 202
    assert browser.get("/api/v1/requests").status_code == 200
    assert browser.get("/api/v1/me").json()["id"] == "lin"
    assert browser.get("/console").status_code != 303


def test_a_sign_in_or_link_secret_is_no_key(demo: RunningDemo, browser: httpx.Client) -> None:
    secret = browser.cookies["handraise_sign_in"]

    assert (
        httpx.get(f"{demo.address}/api/v1/requests", headers={"X-Api-Key": secret}, timeout=PATIENCE).status_code == 401
    )


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        ("/sign-in", "default-src 'self'"),
        ("/api/docs", "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'"),
        ("/api/v1/info", "default-src 'none'"),
        ("/api/v1/requests", "default-src 'none'"),
        ("/assets/nothing.js", "default-src 'none'"),
        ("/openapi.json", "default-src 'none'"),
    ],
)
def test_every_answer_carries_the_security_headers(visitor: httpx.Client, path: str, policy: str) -> None:
    headers = visitor.get(path).headers

    assert policy in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers
