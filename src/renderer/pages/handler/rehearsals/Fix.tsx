import { fixOf } from '#catalogue/rehearsal/fixes.ts'
import type { FixTopic } from '#catalogue/rehearsal/define.ts'
import type { Rehearsal } from '#contract/rehearsal.ts'
import { CodeBlock } from '#kit/CodeBlock.tsx'
import { Fold } from '#kit/Page.tsx'
import { useAuthorization } from '#client/state/authorization.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { useLog } from '#client/state/scope.ts'
import { CheckCode, useFramework } from '#parts/RawBodyChecks.tsx'

function useBrand({ options }: Rehearsal): string {
  const log = useLog()
  const endpoint = useEndpoints(({ endpoints }) =>
    log === null ? endpoints.find(({ id }) => id === options.endpointId) : undefined,
  )
  const integrations = useAuthorization((state) => state.integrations)
  const own = integrations.find(({ id }) => id === endpoint?.integrationId)
  return (own ?? integrations[0])?.brand ?? 'Service'
}

const verification: readonly FixTopic[] = [
  'verify-raw-body',
  'compare-signature',
  'require-secret',
  'verify-first',
]

/** How to fix the handler, in the framework that the user selects. */
export function Fix({ topic, run }: { topic: FixTopic; run: Rehearsal }) {
  const { framework, field } = useFramework()
  const brand = useBrand(run)
  if (!framework) return null
  const general = fixOf(topic, null)
  const specific = fixOf(topic, framework.id).slice(general.length).trim()
  return (
    <div className="grid gap-4">
      <p className="wrap-anywhere">{general}</p>
      {field}
      {/* The field shows the note of a framework. */}
      {specific !== '' && specific !== framework.note && (
        <CodeBlock label={`Fix for ${framework.label}`} text={specific} />
      )}
      {verification.includes(topic) && (
        <Fold summary={`Complete check for ${framework.label}`}>
          <CheckCode framework={framework} brand={brand} />
        </Fold>
      )}
    </div>
  )
}
