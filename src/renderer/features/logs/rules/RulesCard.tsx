import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { RedactionRule } from '#contract/logs.ts'
import { Card } from '../../../components/Page.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { useClient } from '../../../platform/use-client.ts'
import { takeLogs, useLogs } from '../store.ts'
import { RuleRows } from './RuleRows.tsx'
import { redactedValues, redactionLimits } from '#contract/redaction.ts'

/** What every redacted export replaces without a rule, and what it does not. */
const byItself = [
  ...Object.values(redactedValues).map(({ label, values }) => ({ what: label, how: values })),
  {
    what: 'Digests and lengths of redacted bodies',
    how: 'since values could be tried until one fits. The verdict stays as it was at capture.',
  },
  {
    what: 'The same value becomes the same pseudonym',
    how: 'within one file. It cannot be reversed: the key is discarded.',
  },
  { what: 'Not replaced:', how: redactionLimits },
] as const

/** What is taken out of every export: by itself, and by the user's own rules. */
export function RulesCard() {
  const client = useClient()
  const rules = useLogs((state) => state.rules)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function change(next: RedactionRule[]): Promise<boolean> {
    setBusy(true)
    setError(null)
    try {
      takeLogs(await client.call('logs.setRules', { rules: next }))
      return true
    } catch (reason) {
      setError(sentence(reason))
      return false
    } finally {
      setBusy(false)
    }
  }

  return (
    <Card
      title="Redaction"
      note="What every redacted export replaces. Each export shows it beforehand."
    >
      <section aria-labelledby="by-itself">
        <h3 className="rules-head" id="by-itself">
          Always redacted
        </h3>
        <ul className="by-itself">
          {byItself.map(({ what, how }) => (
            <li key={what}>
              <ShieldCheck aria-hidden />
              <span>
                <b>{what}</b> {how}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="own-rules">
        <h3 className="rules-head" id="own-rules">
          Your own rules
        </h3>
        <p className="rules-hint">
          The values of a header, or what stands at a path of a JSON body. They are kept, and every
          export follows them.
        </p>
        <RuleRows
          rules={rules}
          label="Rules for every export"
          busy={busy}
          error={error}
          onChange={change}
        />
      </section>
    </Card>
  )
}
