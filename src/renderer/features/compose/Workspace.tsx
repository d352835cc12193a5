import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { focusTab } from '../../components/focus-tab.ts'
import { SplitPane } from '../../components/SplitPane.tsx'
import { focusAfter } from '../../components/focus-after.ts'
import { useKeys } from '../shell/bound.ts'
import { AnswerPanel } from './answer/AnswerPanel.tsx'
import { BodyPane } from './body/BodyPane.tsx'
import { ChangeState } from './ChangeState.tsx'
import { DraftHead } from './DraftHead.tsx'
import { HeaderList, useHeaderRows } from './headers/HeaderList.tsx'
import { SignatureRow } from './signature/SignaturePanel.tsx'
import type { Session } from './store.ts'
import { ConfirmTarget } from './target/ConfirmTarget.tsx'
import { TargetBar } from './target/TargetBar.tsx'
import '../../components/Tabs.css'

type Part = 'body' | 'headers'

/** One request that is written: where it goes, what it is, how it is signed, what came back. */
export function Workspace({ session }: { readonly session: Session }) {
  const [part, setPart] = useState<Part>('body')
  const rows = useHeaderRows(session)
  const problems = rows.rows.reduce((sum, row) => sum + row.problems.length, 0)
  useKeys({
    'compose-headers': () =>
      focusAfter(
        () => setPart('headers'),
        () => document.querySelector<HTMLElement>('.header-list [data-part="name"]'),
      ),
    ...(part === 'headers' ? { 'compose-body': () => setPart('body') } : {}),
  })
  return (
    <div className="compose-work">
      <div className="compose-head">
        <DraftHead session={session} />
        <TargetBar session={session} />
        <SignatureRow session={session} />
      </div>
      <SplitPane
        name="compose"
        label="Width of the request"
        left={
          <Tabs.Root
            className="compose-parts"
            value={part}
            onValueChange={(next) => setPart(next === 'headers' ? 'headers' : 'body')}
          >
            <div className="compose-tabs">
              <Tabs.List className="tabs" onFocus={focusTab} aria-label="Parts of the request">
                <Tabs.Trigger value="body">Body</Tabs.Trigger>
                <Tabs.Trigger value="headers">
                  Headers
                  <span className="compose-number">
                    {rows.rows.filter(({ header }) => header.on).length}
                  </span>
                  {problems > 0 && (
                    <span
                      className="badge"
                      data-tone="invalid"
                      title="Something is wrong with them"
                    >
                      {problems}
                    </span>
                  )}
                </Tabs.Trigger>
              </Tabs.List>
              <ChangeState session={session} rows={rows} onHeaders={() => setPart('headers')} />
            </div>
            {/* Stays mounted: what can be undone in it still can when one comes back to it. */}
            <Tabs.Content value="body" forceMount className="tab-page tab-fixed" data-scrolls>
              <BodyPane session={session} />
            </Tabs.Content>
            <Tabs.Content value="headers" className="tab-page" data-scrolls>
              <HeaderList rows={rows} />
            </Tabs.Content>
          </Tabs.Root>
        }
        right={<AnswerPanel session={session} />}
      />
      <ConfirmTarget />
    </div>
  )
}
