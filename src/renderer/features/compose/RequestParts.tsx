import { Tabs } from 'radix-ui'
import { plural } from '#shared/text/format.ts'
import type { Client } from '../../platform/client.ts'
import { useClient } from '../../platform/use-client.ts'
import { Button } from '../../ui/Button.tsx'
import { confirm } from '../../ui/Confirm.tsx'
import { focusTab } from '../../ui/focus.ts'
import { Icons } from '../../ui/icons.tsx'
import { Row, Text } from '../../ui/Layout.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { sameBytes } from './body/body-modes.ts'
import { BodyPane } from './body/BodyPane.tsx'
import { resetToOriginal } from './edit.ts'
import type { HeaderRows } from './headers/header-rows.ts'
import { HeaderList, useBrand } from './headers/HeaderList.tsx'
import { changeSession, type Session } from './store.ts'
import '../../ui/Tabs.css'
import './ComposePage.css'

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
      className="full shrink stack-flex compose-parts"
      value={part}
      onValueChange={(next) => onPart(next === 'headers' ? 'headers' : 'body')}
    >
      <Row wrap align="center" fixed line="bottom" className="compose-tabs">
        <Tabs.List className="tabs" onFocus={focusTab} aria-label="Parts of the request">
          <Tabs.Trigger value="body">Body</Tabs.Trigger>
          <Tabs.Trigger value="headers">
            Headers
            <Text tone="dim" size="xs" weight="medium">
              {rows.rows.filter(({ header }) => header.on).length}
            </Text>
            {problems > 0 && (
              <span className="badge" data-tone="invalid" title="Headers with problems">
                {problems}
              </span>
            )}
          </Tabs.Trigger>
        </Tabs.List>
        <ChangeState session={session} rows={rows} onHeaders={() => onPart('headers')} />
      </Row>
      {/* Stays mounted, so that the undo history survives switching tabs. */}
      <Tabs.Content value="body" forceMount className="tab-page tab-fixed" data-scrolls>
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

/** Shows whether body or headers differ from the original, with a button to reset them. */
function ChangeState({ session, rows, onHeaders }: ChangeStateProps) {
  const client = useClient()
  const { original, preview, content } = session
  if (original === null || preview === null) return null
  if (preview.unchanged) {
    return (
      <Row as="span" push pad={[0, 4]} role="status">
        <StateMark tone="valid" icon={Icons.Check} word="Exactly as captured" />
      </Row>
    )
  }
  // A draft from a log has its own copy of the bytes.
  const body =
    content.body.kind === 'bytes' &&
    !(original.body && sameBytes(original.body, content.body.bytes))
  if (content.origin.kind === 'log' && !body && rows.differing === 0) {
    return (
      <Row as="span" push pad={[0, 4]} role="status">
        <StateMark tone="valid" icon={Icons.Check} word="Body and headers as in the log" />
      </Row>
    )
  }
  return (
    <Row as="span" wrap push align="center" justify="end" gap={2} pad={[0, 4]}>
      <span role="status">
        <StateMark
          tone="warning"
          icon={Icons.PenLine}
          word={describeChanges(
            content.origin.kind === 'log' ? 'Differs from the log' : 'Edited',
            body,
            rows.differing,
          )}
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
    </Row>
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

function describeChanges(word: string, body: boolean, headers: number): string {
  const parts = [
    ...(body ? ['the body'] : []),
    ...(headers > 0 ? [plural(headers, 'header', 'headers')] : []),
  ]
  return parts.length === 0 ? word : `${word}: ${parts.join(' and ')}`
}
