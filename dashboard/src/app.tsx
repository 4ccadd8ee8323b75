import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./main.css";

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";

import { createAppQueryClient } from "./query-client.ts";
import { createAppRouter, preloadPage } from "./router.ts";
import { cssVariablesResolver, theme } from "./theme.ts";

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// For the style with which an open dialog keeps the page behind it from scrolling.
setNonce(nonce);

const queryClient = createAppQueryClient();
const router = createAppRouter(queryClient);
preloadPage(router);

export const app = (
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>
);
