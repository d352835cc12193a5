import { Reply, RotateCcw } from 'lucide-react'
import { IconButton } from '../../components/Button.tsx'
import { visible } from '../../components/text/visible.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useAnswering } from './store.ts'
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
    <div className="bar-chip bar-answering" data-tone="missing">
      <a
        href="#/endpoints"
        title={`We answer ${rules.map(ruleInBrief).map(visible).join('; ')}. The service may send these again.`}
      >
        <Reply aria-hidden />
        <span className="bar-answering-words cut">
          Answers {visible(ruleInBrief(first))}
          {more}
        </span>
        {told !== '' && <span className="bar-answering-use">{told}</span>}
      </a>
      <IconButton
        label={back.error === null ? 'Answer 200 to all again' : sentence(back.error)}
        onClick={() => back.start()}
      >
        <RotateCcw aria-hidden />
      </IconButton>
    </div>
  )
}
