import { Reply, RotateCcw } from 'lucide-react'
import { Text } from '../../ui/Layout.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { visible } from '../../ui/text/visible.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useAnswering } from '../../state/answering.ts'
import { provoking, ruleInBrief, usageLabel } from './labels.ts'

/**
 * Shown in the connection bar as long as something else than 200 is answered: whoever forgot a rule must see it, since it makes the service
 * send again.
 */
export function AnsweringChip() {
  const client = useClient()
  const responses = useAnswering((state) => state.responses)
  const uses = useAnswering((state) => state.uses)
  const back = useAction(async () => void (await client.call('responses.off', {})))
  const rules = provoking(responses, uses)
  const [first] = rules
  if (!first) return null
  const more = rules.length > 1 ? ` and ${rules.length - 1} more` : ''
  const use = uses.find(({ ruleId }) => ruleId === first.id)
  const told = usageLabel(first, use)
  return (
    <div className="bar-chip bar-linked bar-answering" data-tone="missing" data-alert>
      <a
        className="row-inline gap-3 align-center weight-semibold tone-state"
        href="#/endpoints"
        title={`Tabscope answers ${rules.map(ruleInBrief).map(visible).join('; ')}. The service may send these deliveries again.`}
      >
        <Reply aria-hidden />
        <span className="cut">
          Response rule: {visible(ruleInBrief(first))}
          {more}
        </span>
        {told !== '' && (
          <Text weight="normal" size="s">
            {told}
          </Text>
        )}
      </a>
      <IconButton
        label={back.error === null ? 'Turn off response rules' : sentence(back.error)}
        onClick={() => back.start()}
      >
        <RotateCcw aria-hidden />
      </IconButton>
    </div>
  )
}
