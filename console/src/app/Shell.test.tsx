import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { renderAt } from "@/testing/renderAt";
import { answerCalls } from "@/testing/service";

beforeEach(() => {
  answerCalls({});
});

describe("the shell", () => {
  test("says that the model is scripted", async () => {
    renderAt("/nowhere");
    expect(await screen.findByText("scripted model")).toBeVisible();
  });

  test("switches the language, remembers it and tells the browser", async () => {
    const { user } = renderAt("/nowhere");
    await user.click(await screen.findByRole("button", { name: /中文/ }));
    expect(await screen.findByRole("heading", { name: "没有这个页面" })).toBeVisible();
    expect(document.documentElement.lang).toBe("zh-CN");
    expect(localStorage.getItem("handraise.language")).toBe("zh");
    await user.click(screen.getByRole("button", { name: /English/ }));
    expect(await screen.findByRole("heading", { name: "There is no such page" })).toBeVisible();
  });

  test("goes round the colour schemes: system, light, dark", async () => {
    const { user } = renderAt("/nowhere");
    const scheme = () => document.documentElement.getAttribute("data-mantine-color-scheme");
    await user.click(await screen.findByRole("button", { name: /Switch to dark|Switch to light/ }));
    await user.click(await screen.findByRole("button", { name: /Switch to dark|Switch to the system/ }));
    await waitFor(() => {
      expect(scheme()).toBe("dark");
    });
  });

  test("marks the page that is open, and leads from a wrong address to the chat", async () => {
    const { user, path } = renderAt("/nowhere");
    await user.click(await screen.findByRole("link", { name: "Go to the chat" }));
    await waitFor(() => {
      expect(screen.getByRole("link", { name: "Chat" })).toHaveAttribute("aria-current", "page");
    });
    expect(path()).toBe("/");
    expect(screen.getByRole("link", { name: "Inbox" })).not.toHaveAttribute("aria-current");
  });
});
