import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { FailurePage } from "@/app/FailurePage";

function Broken(): never {
  throw new TypeError("x is not a function");
}

test("a page that throws says so, offers a reload and keeps the details at hand", async () => {
  // React reports the error to the console as well.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const router = createMemoryRouter([{ path: "/", Component: Broken, errorElement: <FailurePage /> }]);
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  expect(await screen.findByRole("heading", { name: "This page stopped working" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Reload" })).toBeVisible();
  expect(screen.getByText("TypeError: x is not a function")).toBeInTheDocument();
});
