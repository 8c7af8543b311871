import { Button, Menu } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { pageAt, PAGES } from "@/app/pages";
import classes from "@/app/Shell.module.css";
import { useChatLink } from "@/app/useChatLink";
import { MenuIcon } from "@/components/icons";

/** Below this the links do not fit into one line. */
const NARROW = "(max-width: 62em)";

/** The links to all pages; where there is no room for them, one button that opens them. */
export function Navigation() {
  const { t } = useTranslation();
  const chat = useChatLink();
  const here = pageAt(useLocation().pathname);
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const links = PAGES.map(({ name, to }) => ({
    name,
    to: name === "chat" ? chat : to,
    current: name === here ? ("page" as const) : undefined,
  }));
  if (!narrow) {
    return (
      <nav className={classes.nav} aria-label={t("app.navigation")}>
        {links.map(({ name, to, current }) => (
          <Link key={name} to={to} className={classes.link} aria-current={current}>
            {t(`app.${name}`)}
          </Link>
        ))}
      </nav>
    );
  }
  return (
    <nav className={classes.nav} aria-label={t("app.navigation")}>
      {/* In its place, not at the page's end: there it would be outside every landmark. */}
      <Menu position="bottom-start" shadow="md" width={220} withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="subtle" color="gray" px={8} className={classes.menu} leftSection={<MenuIcon />}>
            {here ? t(`app.${here}`) : t("app.menu")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {links.map(({ name, to, current }) => (
            <Menu.Item key={name} component={Link} to={to} aria-current={current} className={classes.item}>
              {t(`app.${name}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}
