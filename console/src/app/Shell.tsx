import { useTranslation } from "react-i18next";
import { Link, Outlet } from "react-router";
import { ColorSchemeSwitch } from "@/app/ColorSchemeSwitch";
import icon from "@/components/icon.svg";
import { LanguageSwitch } from "@/app/LanguageSwitch";
import { Navigation } from "@/app/Navigation";
import { ScriptedBadge } from "@/app/ScriptedBadge";
import classes from "@/app/Shell.module.css";

export function Shell() {
  const { t } = useTranslation();
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        {t("app.skipToContent")}
      </a>
      <header className={classes.header}>
        <Link to="/" className={classes.brand} aria-label={t("app.name")}>
          <img src={icon} alt="" width={24} height={24} />
          <span className={classes.name}>{t("app.name")}</span>
        </Link>
        <Navigation />
        <div className={classes.tools}>
          <ScriptedBadge />
          <LanguageSwitch />
          <ColorSchemeSwitch />
        </div>
      </header>
      <main id="content" className={classes.content} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
