import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { useAddress } from "@/lists/useAddress";

function Fields() {
  const [search, change] = useAddress();
  return (
    <>
      {["from", "to"].map((name) => (
        <input
          key={name}
          aria-label={name}
          value={search.get(name) ?? ""}
          onChange={(event) => {
            change({ [name]: event.currentTarget.value });
          }}
        />
      ))}
    </>
  );
}

function openAt(address: string) {
  const router = createMemoryRouter([{ path: "/", element: <Fields /> }], { initialEntries: [address] });
  render(<RouterProvider router={router} />);
  return router;
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test("a change stands beside what else is in the address, and an empty value leaves it", async () => {
  const router = openAt("/?from=a&other=1");
  type("from", "");
  type("to", "b");
  await waitFor(() => {
    expect(router.state.location.search).toBe("?other=1&to=b");
  });
});

test("two changes before the router shows the first are both kept", async () => {
  const router = openAt("/");
  act(() => {
    type("from", "2001-01-01");
    type("to", "2001-01-02");
  });
  await waitFor(() => {
    expect(router.state.location.search).toBe("?from=2001-01-01&to=2001-01-02");
  });
  expect(screen.getByLabelText("from")).toHaveValue("2001-01-01");
});

test("a field shows what was typed at once", () => {
  openAt("/");
  type("from", "运");
  expect(screen.getByLabelText("from")).toHaveValue("运");
});

test("going back shows what was there before", async () => {
  const router = openAt("/?from=a");
  type("from", "b");
  await waitFor(() => {
    expect(router.state.location.search).toBe("?from=b");
  });
  await act(() => router.navigate(-1));
  expect(screen.getByLabelText("from")).toHaveValue("a");
  type("to", "c");
  await waitFor(() => {
    expect(router.state.location.search).toBe("?from=a&to=c");
  });
});
