import { Tabs } from 'radix-ui'
import type { ApiParameter } from '#contract/api.ts'
import { BodyEditor } from './BodyEditor.tsx'
import type { Draft } from './draft.ts'
import { ParameterRows } from './ParameterRows.tsx'
import { editDraft } from './store.ts'
import { focusTab } from '../../components/focus-tab.ts'
import '../../components/Tabs.css'

interface Props {
  readonly integrationId: number
  readonly draft: Draft
}

/** What goes with the request: query, headers, body. */
export function RequestTabs({ integrationId, draft }: Props) {
  return (
    <Tabs.Root className="console-parts" defaultValue="query">
      <Tabs.List className="tabs" onFocus={focusTab} aria-label="Parts of the request">
        <Tabs.Trigger value="query">
          Query <Number of={countOn(draft.query)} />
        </Tabs.Trigger>
        <Tabs.Trigger value="headers">
          Headers <Number of={countOn(draft.headers)} />
        </Tabs.Trigger>
        <Tabs.Trigger value="body">
          Body{' '}
          {draft.body !== '' && <span className="console-dot" role="img" aria-label="filled" />}
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="query" className="tab-page" data-scrolls>
        <ParameterRows
          what="parameter"
          rows={draft.query}
          hint="They are encoded and put behind the path, in this order."
          onChange={(query) => editDraft(integrationId, { query })}
        />
      </Tabs.Content>
      <Tabs.Content value="headers" className="tab-page" data-scrolls>
        <ParameterRows
          what="header"
          rows={draft.headers}
          hint="They are sent as written, beside those that HTTP itself needs."
          onChange={(headers) => editDraft(integrationId, { headers })}
        />
      </Tabs.Content>
      <Tabs.Content value="body" className="tab-page tab-fixed" data-scrolls>
        <BodyEditor integrationId={integrationId} draft={draft} />
      </Tabs.Content>
    </Tabs.Root>
  )
}

function Number({ of }: { readonly of: number }) {
  return of === 0 ? null : <span className="console-number">{of}</span>
}

function countOn(rows: readonly ApiParameter[]): number {
  return rows.filter(({ name, on }) => on && name.trim() !== '').length
}
