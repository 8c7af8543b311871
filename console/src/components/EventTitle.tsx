import classes from "@/components/EventTitle.module.css";
import { useEventWords } from "@/components/useEventWords";

/** What happened, in the reader's language, beside the lasting name that people filter and export by. */
export function EventTitle({ name }: { name: string }) {
  const words = useEventWords()(name);
  return (
    <>
      {words !== null && <b className={classes.words}>{words}</b>} <code className={classes.name}>{name}</code>
    </>
  );
}
