import { useState } from 'react'
import type { CallInput } from '#contract/calls.ts'
import { leftOutText } from '#contract/scenario-texts.ts'
import { plural } from '#shared/text/format.ts'
import { toast } from '#kit/toasts.ts'
import { useClient } from '#client/use-client.ts'
import { scenarioAddress } from '#client/addresses/pages.ts'
import { FormDialog } from '#kit/Dialog.tsx'
import { CheckField, Field } from '#kit/Field.tsx'
import { useForm } from '#kit/use-form.ts'
import { LearnMore } from '#parts/LearnMore.tsx'

interface Props {
  what: CallInput<'scenarios.save'>['what']
  count: number
  onClose: () => void
}

/** Names the copies of the selected deliveries. */
export function SaveScenario({ what, count, onClose }: Props) {
  const client = useClient()
  const [name, setName] = useState('')
  const [force, setForce] = useState(false)
  const form = useForm({}, async () => {
    const scenario = await client.call('scenarios.save', { name, what, force })
    onClose()
    const saved = plural(scenario.deliveries, 'delivery', 'deliveries')
    toast('valid', `Saved ${saved}.${leftOutText(scenario)}`)
    location.assign(scenarioAddress(scenario.name))
  })
  return (
    <FormDialog
      title={`Save ${plural(count, 'delivery', 'deliveries')} as scenario`}
      description="Copies them, so that you can send them again and again, also after they are deleted."
      help={<LearnMore page="scenarios" />}
      action="Save"
      form={form}
      disabled={name.trim() === ''}
      onClose={onClose}
    >
      <Field
        label="Name"
        value={name}
        maxLength={80}
        onChange={({ target }) => setName(target.value)}
      />
      <CheckField
        label="Replace"
        note="A scenario with this name is replaced, and its runs are deleted."
        checked={force}
        onChange={setForce}
      />
    </FormDialog>
  )
}
