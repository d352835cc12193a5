import { Tabs } from 'radix-ui'
import { plural } from '#shared/text/format.ts'
import type { Client } from '#client/client.ts'
import { useClient } from '#client/use-client.ts'
import { Button } from '#kit/Button.tsx'
import { confirm } from '#kit/Confirm.tsx'
import { focusTab } from '#kit/focus.ts'
import { Icons } from '#kit/icons.tsx'
import { StateMark } from '#kit/Mark.tsx'
import { sameBytes } from './body/body-modes.ts'
import { BodyPane } from './body/BodyPane.tsx'
import { resetToOriginal } from './edit.ts'
import { type HeaderRows, HeaderList, useBrand } from './headers/HeaderList.tsx'
import { changeSession, type Session } from './store.ts'
import '#kit/Tabs.css'
import './Composer.css'

export type Part = 'body' | 'headers'

interface PartsProps {
  readonly session: Session
  readonly rows: HeaderRows
  readonly part: Part
  readonly onPart: (part: Part) => void
}

/** The body and the headers of a request, each as a tab, and what differs from the captured delivery. */
export function RequestParts({ session, rows, part, onPart }: PartsProps) {
  const brand = useBrand(session.content.endpointId)
  const problems = rows.rows.reduce((sum, row) => sum + row.problems.length, 0)
  return (
    <Tabs.Root
      className="flex h-full min-h-0 min-w-0 flex-col [&>.tab-page]:p-0"
      value={part}
      onValueChange={(next) => onPart(next === 'headers' ? 'headers' : 'body')}
    >
      <div className="flex flex-none flex-wrap items-center border-b border-line [&_.tabs]:border-b-0">
        <Tabs.List className="tabs" onFocus={focusTab} aria-label="Parts of the request">
          <Tabs.Trigger value="body">Body</Tabs.Trigger>
          <Tabs.Trigger value="headers">
            Headers
            <span className="text-xs font-medium text-dim">
              {rows.rows.filter(({ header }) => header.on).length}
            </span>
            {problems > 0 && (
              <span className="badge" data-tone="invalid" title="Headers with problems">
                {problems}
              </span>
            )}
          </Tabs.Trigger>
        </Tabs.List>
        <ChangeState session={session} rows={rows} onHeaders={() => onPart('headers')} />
      </div>
      {/* Stays mounted, so that the undo history survives switching tabs. */}
      <Tabs.Content
        value="body"
        forceMount
        className="tab-page grid-rows-1 content-stretch overflow-hidden pb-4"
        data-scrolls
      >
        <BodyPane session={session} />
      </Tabs.Content>
      <Tabs.Content value="headers" className="tab-page" data-scrolls>
        <HeaderList of={session.key} rows={rows} brand={brand} />
      </Tabs.Content>
    </Tabs.Root>
  )
}

interface ChangeStateProps {
  readonly session: Session
  readonly rows: HeaderRows
  readonly onHeaders: () => void
}

function ChangeState({ session, rows, onHeaders }: ChangeStateProps) {
  const client = useClient()
  const { original, preview, content } = session
  if (original === null || preview === null) return null
  // A draft from a log has its own copy of the bytes.
  const body =
    content.body.kind === 'bytes' &&
    !(original.body && sameBytes(original.body, content.body.bytes))
  const ofLog = content.origin.kind === 'log'
  const isSame = ofLog && !body && rows.differing === 0
  if (preview.unchanged || isSame) {
    const word = preview.unchanged ? 'Exactly as captured' : 'Body and headers as in the log'
    return (
      <span className="ml-auto flex px-4" role="status">
        <StateMark tone="valid" icon={Icons.Check} word={word} />
      </span>
    )
  }
  const parts = [
    ...(body ? ['the body'] : []),
    ...(rows.differing > 0 ? [plural(rows.differing, 'header', 'headers')] : []),
  ]
  const word = ofLog ? 'Differs from the log' : 'Edited'
  return (
    <span className="ml-auto flex flex-wrap items-center justify-end gap-2 px-4">
      <span role="status">
        <StateMark
          tone="warning"
          icon={Icons.PenLine}
          word={parts.length === 0 ? word : `${word}: ${parts.join(' and ')}`}
        />
      </span>
      {rows.differing > 0 && (
        <Button kind="quiet" small onClick={onHeaders}>
          Show
        </Button>
      )}
      <Button
        kind="quiet"
        small
        icon={Icons.RotateCcw}
        onClick={() => confirmReset(client, session.key)}
      >
        Reset to original
      </Button>
    </span>
  )
}

function confirmReset(client: Client, key: Session['key']): void {
  confirm({
    title: 'Reset to original?',
    description:
      'Resets headers, body and signature to the captured delivery. Address and method stay.',
    action: 'Reset',
    run() {
      resetToOriginal(client, key)
      // Recreate the editor with the original.
      changeSession(key, (now) => ({ bodyRevision: now.bodyRevision + 1 }))
    },
  })
}
