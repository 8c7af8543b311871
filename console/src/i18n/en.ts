import app from "@/i18n/en/app.json";
import audit from "@/i18n/en/audit.json";
import chat from "@/i18n/en/chat.json";
import components from "@/i18n/en/components.json";
import detail from "@/i18n/en/detail.json";
import events from "@/i18n/en/events.json";
import inbox from "@/i18n/en/inbox.json";
import insights from "@/i18n/en/insights.json";
import transcript from "@/i18n/en/transcript.json";
import lists from "@/i18n/en/lists.json";
import sessions from "@/i18n/en/sessions.json";
import tickets from "@/i18n/en/tickets.json";
import knowledge from "@/i18n/en/knowledge.json";
import alerts from "@/i18n/en/alerts.json";
import bulk from "@/i18n/en/bulk.json";
import keys from "@/i18n/en/keys.json";

/** Every English text: one file per feature. */
const en = {
  ...app,
  ...audit,
  ...chat,
  ...components,
  ...detail,
  ...events,
  ...inbox,
  ...insights,
  ...transcript,
  ...lists,
  ...sessions,
  ...tickets,
  ...knowledge,
  ...alerts,
  ...bulk,
  ...keys,
};

export default en;
