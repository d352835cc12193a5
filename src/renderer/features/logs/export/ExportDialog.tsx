import { FileOutput } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { LogFormatView } from '#contract/logs.ts'
import { Button } from '../../../components/Button.tsx'
import { Field } from '../../../components/Field.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { Note } from '../../../components/Note.tsx'
import { count } from '../../../components/text/numbers.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient, useQuery } from '../../../platform/use-client.ts'
import { useCan } from '../../shell/store.ts'
import { useLogs } from '../store.ts'
import { closeExport, useAsking } from './asking.ts'
import type { ExportDraft } from './draft.ts'
import { firstDraft, keepFormat, wishOf } from './draft.ts'
import { fileName } from './file-name.ts'
import { FormatCards } from './FormatCards.tsx'
import { PreviewPane } from './PreviewPane.tsx'
import { RedactFields } from './RedactFields.tsx'
import { startExport } from './start-export.ts'
import type { Wish } from './use-preview.ts'
import { usePreview } from './use-preview.ts'
import { WhatFields } from './WhatFields.tsx'
import type { ExportAsk } from './what.ts'
import { whatFaults } from './what.ts'
import { WithFields } from './WithFields.tsx'
import './Export.css'

/** Asks what is exported and how, and shows beforehand what is in it and what is taken out. From any page. */
export function ExportDialog() {
  const ask = useAsking((state) => state.ask)
  const name = useLogs((state) => state.logs.find(({ id }) => id === ask?.log)?.name)
  if (ask === null) return null
  return (
    <Dialog
      open
      onClose={closeExport}
      title={name === undefined ? 'Export deliveries' : `Export from “${name}”`}
      large
    >
      <Loaded ask={ask} />
    </Dialog>
  )
}

function Loaded({ ask }: { readonly ask: ExportAsk }) {
  const { state, reload } = useQuery('logs.formats', {})
  switch (state.phase) {
    case 'loading':
      return <div className="detail-coming" role="status" aria-label="Asking for the formats" />
    case 'failed':
      return (
        <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
          {state.message}
        </Note>
      )
    case 'ready':
      return <Form ask={ask} formats={state.value} />
  }
}

interface FormProps {
  readonly ask: ExportAsk
  readonly formats: readonly LogFormatView[]
}

function Form({ ask, formats }: FormProps) {
  const client = useClient()
  const dialogs = useCan('nativeDialogs')
  const [draft, setDraft] = useState<ExportDraft>(() => firstDraft(ask, formats, Date.now()))
  const change = (part: Partial<ExportDraft>): void =>
    setDraft((before) => ({ ...before, ...part }))
  const format = formats.find(({ id }) => id === draft.format)
  const faults = whatFaults(ask, draft.what)
  const wrong = Object.keys(faults).length > 0
  const wish = wishOf(ask, draft, format)
  const looked = usePreview(wrong ? null : wish)
  const start = useAction(async () => {
    const name = fileName(new Date(), {
      extension: format?.extension ?? 'txt',
      gzip: wish.gzip === true,
      redacted: draft.redact,
    })
    keepFormat(draft.format)
    if (await startExport(client, wish, { name, dialogs })) closeExport()
  })
  const { preview, stale } = looked
  const blamed = looked.error?.code === 'bad_input' ? blame(wish) : null
  const form = useRef<HTMLFormElement>(null)
  // The dialog was there before the formats were, and has given the focus to its only button.
  useEffect(() => form.current?.querySelector<HTMLElement>('input:checked')?.focus(), [])
  const none = preview !== null && !stale && preview.deliveries === 0
  return (
    <form
      className="export-form"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!wrong && !none && blamed === null && !start.busy) start.start()
      }}
    >
      <div className="export-wish" data-scrolls>
        <WhatFields
          ask={ask}
          draft={draft.what}
          faults={faults}
          onChange={(what) => change({ what: { ...draft.what, ...what } })}
        />
        <FormatCards
          formats={formats}
          chosen={draft.format}
          onChange={(id) => change({ format: id })}
        />
        {format?.sends === true && (
          <Field
            label="Where it sends them"
            data-mono
            value={draft.target}
            maxLength={8000}
            placeholder="http://127.0.0.1:3000"
            hint="Empty: to our own listener. Each delivery’s path is put behind it."
            error={blamed === 'target' ? looked.error?.message : null}
            onChange={(event) => change({ target: event.target.value })}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
        <WithFields draft={draft} canGzip={format?.gzip === true} onChange={change} />
        <RedactFields
          draft={draft}
          refused={blamed === 'rules' ? (looked.error?.message ?? null) : null}
          onChange={change}
        />
      </div>
      <PreviewPane looked={looked} redact={draft.redact} wrong={wrong || blamed !== null} />
      {start.error !== null && (
        <Note tone="invalid" alert>
          {sentence(start.error)}
        </Note>
      )}
      <div className="dialog-actions">
        <Button onClick={closeExport}>Cancel</Button>
        <Button
          kind="primary"
          type="submit"
          busy={start.busy}
          disabled={wrong || none || blamed !== null}
          icon={<FileOutput aria-hidden />}
        >
          {preview === null || stale ? 'Export' : `Export ${count(preview.deliveries)}`}
          {draft.redact ? '' : ', not redacted'}
        </Button>
      </div>
    </form>
  )
}

/** Which field is at fault when the wish is refused: what was checked already, or was taken before, is not. */
function blame({ target, rules }: Wish): 'target' | 'rules' | null {
  if (target !== undefined && target !== '') return 'target'
  return (rules ?? []).length > 0 ? 'rules' : null
}
