import { useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { Confirm } from '../../../components/Confirm.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { Field } from '../../../components/Field.tsx'
import { counted } from '../../../components/text/numbers.ts'
import { visible } from '../../../components/text/visible.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { say } from '../../shell/toasts.ts'
import { tagLongest, tagsMost } from '../annotate.ts'
import { closeDelivery, useDeliveries } from '../store.ts'
import { useSuggestions } from '../use-suggestions.ts'
import type { Several } from './several.ts'
import { closeSeveral, useSeveral } from './several.ts'
import { chooseNone } from './store.ts'

/** Asks for the tag of several deliveries, or before they are deleted. */
export function SeveralDialogs() {
  const { asked, several } = useSeveral()
  if (asked === null || several === null) return null
  return asked === 'tag' ? <TagDialog several={several} /> : <DeleteDialog several={several} />
}

function TagDialog({ several }: { readonly several: Several }) {
  const client = useClient()
  const [text, setText] = useState('')
  const tag = text.trim()
  const suggested = useSuggestions({ field: 'tag', prefix: tag })
  const add = useAction(async () => {
    const { changed, full } = await client.call('deliveries.mark', { ...several.which, tag })
    closeSeveral()
    const skipped =
      full === 0
        ? ''
        : ` ${counted(full, 'delivery has', 'deliveries have')} ${tagsMost} tags already, which is the maximum.`
    say(
      full === 0 ? 'valid' : 'invalid',
      `${counted(changed, 'delivery', 'deliveries')} tagged.${skipped}`,
    )
  })
  return (
    <Dialog
      open
      onClose={closeSeveral}
      title={`Tag ${counted(several.count, 'delivery', 'deliveries')}`}
      description="Tagged deliveries are pinned, so that they are kept."
    >
      <form
        className="send-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (tag !== '' && !add.busy) add.start()
        }}
      >
        <Field
          label="Tag"
          value={text}
          maxLength={tagLongest}
          autoComplete="off"
          list="tags-of-several"
          error={add.error === null ? null : sentence(add.error)}
          onChange={(event) => setText(event.target.value)}
        />
        <datalist id="tags-of-several">
          {(suggested?.values ?? []).map((value) => (
            <option key={value} value={value}>
              {visible(value)}
            </option>
          ))}
        </datalist>
        <div className="dialog-actions">
          <Button onClick={closeSeveral}>Cancel</Button>
          <Button kind="primary" type="submit" busy={add.busy} disabled={tag === ''}>
            Add tag
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function DeleteDialog({ several }: { readonly several: Several }) {
  const client = useClient()
  const remove = useAction(async () => {
    const { deleted } = await client.call('deliveries.delete', several.which)
    const { selectedId } = useDeliveries.of(null).getState()
    const { ids } = several.which
    chooseNone()
    if (selectedId !== null && (ids === undefined || ids.includes(selectedId))) {
      closeDelivery()
      useDeliveries.of(null).setState({ selectedId: null })
    }
    closeSeveral()
    say('valid', `${counted(deleted, 'delivery', 'deliveries')} deleted.`)
  })
  const many = several.count !== 1
  return (
    <Confirm
      open
      onClose={closeSeveral}
      title={`Delete ${counted(several.count, 'delivery', 'deliveries')}?`}
      description={`${many ? 'Their' : 'Its'} notes, tags and attempts are deleted as well${many ? ', and pinned deliveries among them too' : ''}. This cannot be undone.`}
      action="Delete"
      busy={remove.busy}
      error={remove.error === null ? null : sentence(remove.error)}
      onConfirm={() => remove.start()}
    />
  )
}
