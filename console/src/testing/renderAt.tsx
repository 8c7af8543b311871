import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { createQueryClient } from "@/api/queryClient";
import { routes } from "@/app/router";

interface Visit {
  user: UserEvent;
  path: () => string;
}

/** Opens the console at an address, as a browser would. */
export function renderAt(address: string): Visit {
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  render(
    <MantineProvider env="test" defaultColorScheme="auto">
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { user: userEvent.setup(), path: () => router.state.location.pathname };
}
