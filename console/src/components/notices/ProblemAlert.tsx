import { Callout } from "@/components/notices/Callout";
import classes from "@/components/notices/Callout.module.css";
import { useProblemWords } from "@/components/notices/useProblemWords";

export function ProblemAlert({ title, error }: { title: string; error: unknown }) {
  const { what, fix } = useProblemWords(error);
  return (
    <Callout tone="danger" title={title}>
      <p>{what}</p>
      {fix && <p className={classes.fix}>{fix}</p>}
    </Callout>
  );
}
