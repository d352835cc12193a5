import { Icons } from '#kit/icons.tsx'
import { IconButton } from '#kit/Button.tsx'
import { escapeControls } from '#kit/text/visible.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useEndpointRules } from '#client/state/live-values.ts'
import { rulesInEffect, ruleInBrief, usageLabel } from '#pages/setup/endpoints/labels.ts'

/**
 * Shown in the connection bar while a rule returns something other than 200. A forgotten rule must be noticed, since it can make the service
 * retry deliveries.
 */
export function EndpointRulesChip() {
  const client = useClient()
  const responses = useEndpointRules((state) => state.responses)
  const uses = useEndpointRules((state) => state.uses)
  const turnOff = useAction(async () => void (await client.call('responses.off', {})))
  const rules = rulesInEffect(responses, uses)
  const [first] = rules
  if (!first) return null
  const more = rules.length > 1 ? ` and ${rules.length - 1} more` : ''
  const use = uses.find(({ ruleId }) => ruleId === first.id)
  const usage = usageLabel(first, use)
  return (
    <div className="bar-chip bar-linked bar-rules" data-tone="warning" data-alert>
      <a
        className="font-semibold text-tone"
        href="#/setup/endpoints"
        title={`Tabscope returns ${rules.map(ruleInBrief).map(escapeControls).join('; ')}. The service may retry these deliveries.`}
      >
        <Icons.Reply />
        <span className="bar-text">
          <span className="cut">
            Response rule: {escapeControls(ruleInBrief(first))}
            {more}
          </span>
        </span>
        {usage !== '' && <span className="bar-usage flex-none text-s font-normal">{usage}</span>}
      </a>
      <IconButton
        label={turnOff.message ?? 'Turn off response rules'}
        onClick={() => turnOff.start()}
      >
        <Icons.RotateCcw />
      </IconButton>
    </div>
  )
}
