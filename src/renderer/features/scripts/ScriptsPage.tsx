import { type ReactNode, useRef, useState } from 'react'
import { maxScriptLength } from '#contract/constants.ts'
import type { Script } from '#contract/scripts.ts'
import { type ScriptExample, scriptExamples } from '#catalogue/script-examples.ts'
import { toast } from '../../platform/toasts.ts'
import { useQuery, useRefresh } from '../../platform/use-client.ts'
import { newScriptAddress, scriptAddress, scriptPlaceOf } from '../../routes/scripts.ts'
import { useShell } from '../../state/app.ts'
import { useEndpointRules } from '../../state/endpoint-rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, WhenLoaded } from '../../ui/Note.tsx'
import { Icons } from '../../ui/icons.tsx'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Page } from '../../ui/Page.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { SideButton, SidePage } from '../../ui/SidePage.tsx'
import { LearnMore } from '../help/index.ts'
import { ScriptDetail } from './ScriptDetail.tsx'
import { nameOfFile, usesOf, useScripts } from './store.ts'
import './ScriptsPage.css'

const pushes = ['scripts.changed', 'forwards.changed', 'responses.changed'] as const
/** Minimum milliseconds between two requests. */
const refreshMs = 200

export function ScriptsPage() {
  const query = useQuery('scripts.list', {})
  useRefresh(null, pushes, refreshMs, query.reload)
  return (
    <WhenLoaded
      query={query}
      loading={<div className="detail-coming" role="status" aria-label="Loading" />}
    >
      {(scripts) => <Loaded scripts={scripts} />}
    </WhenLoaded>
  )
}

function Loaded({ scripts }: { readonly scripts: readonly Script[] }) {
  const hash = useShell((state) => state.hash)
  const place = scriptPlaceOf(hash)
  const draft = useScripts((state) => state.draft)
  const [listOpenedAt, setListOpenedAt] = useState<string | null>(null)
  const isNew = place.isNew || (place.name === null && scripts.length === 0)
  const script = isNew
    ? undefined
    : place.name === null
      ? scripts[0]
      : scripts.find(({ name }) => name === place.name)
  const list = (
    <SideButton icon={Icons.List} open={listOpenedAt === hash} onOpen={() => setListOpenedAt(hash)}>
      Scripts
    </SideButton>
  )
  return (
    <SidePage
      label="Scripts"
      panel={<ScriptList scripts={scripts} current={script?.name ?? null} />}
      shown={listOpenedAt === hash}
      closeLabel="Close the list"
      onClose={() => setListOpenedAt(null)}
    >
      {script ? (
        <ScriptDetail key={script.name} script={script} scripts={scripts} list={list} />
      ) : isNew && draft ? (
        <ScriptDetail key="new" script={null} scripts={scripts} list={list} />
      ) : isNew ? (
        <Examples list={list} />
      ) : (
        <Empty
          icon={Icons.SquareFunction}
          title={`Script “${place.name ?? ''}” not found`}
          actions={
            <>
              {list}
              <a className="button" data-kind="plain" href={newScriptAddress}>
                New script
              </a>
            </>
          }
        >
          It may have been deleted.
        </Empty>
      )}
    </SidePage>
  )
}

interface ListProps {
  readonly scripts: readonly Script[]
  readonly current: string | null
}

function ScriptList({ scripts, current }: ListProps) {
  const rules = useEndpointRules()
  const edited = useScripts((state) => state.edited)
  return (
    <>
      <Row wrap gap={3} pad={[4, 5]} line="bottom">
        <a className="button" data-kind="plain" href={newScriptAddress} data-first>
          <Icons.Plus /> New
        </a>
        <OpenFile />
      </Row>
      <nav className="scroll shrink" aria-label="Saved scripts" data-scrolls>
        <Stack as="ul" lined>
          {scripts.map((script) => {
            const [first, ...others] = usesOf(script, rules)
            return (
              <li key={script.name}>
                <a
                  className="list-row size-s"
                  href={scriptAddress(script.name)}
                  aria-current={script.name === current || undefined}
                >
                  <b className="cut">
                    <Shown text={script.name} />
                    {edited[script.name] !== undefined && ' (edited)'}
                  </b>
                  <Text size="xs" tone="dim" anywhere>
                    {first === undefined ? (
                      'Not used'
                    ) : (
                      <>
                        Used by <Shown text={first} />
                        {others.length > 0 && ` and ${others.length} more`}
                      </>
                    )}
                  </Text>
                </a>
              </li>
            )
          })}
        </Stack>
      </nav>
    </>
  )
}

/** The file becomes a draft with its name. Nothing is saved. */
function OpenFile() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={Icons.FileUp} onClick={() => input.current?.click()}>
        Open file…
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".ts,.js,.mts,.mjs"
        aria-label="Open file"
        onChange={(event) => {
          const file = event.target.files?.[0]
          // Reset, so that the same file can be selected again.
          event.target.value = ''
          if (!file) return
          if (file.size > maxScriptLength) {
            toast(
              'invalid',
              `The file is too large. A script has at most ${maxScriptLength} characters.`,
            )
            return
          }
          file.text().then(
            (source) => startDraft(source, nameOfFile(file.name)),
            () => toast('invalid', 'Could not read the file.'),
          )
        }}
      />
    </>
  )
}

function startDraft(source: string, name = ''): void {
  useScripts.setState({ draft: { name, source } })
  location.assign(newScriptAddress)
}

const emptyScript = `export default (delivery, { crypto, log, state }) => {
  
}
`

const purposes = {
  request: 'Changes what is sent',
  response: 'Responds',
} as const satisfies Record<ScriptExample['for'], string>

function Examples({ list }: { readonly list: ReactNode }) {
  return (
    <Page
      title="New script"
      lead="A function that changes what is forwarded or re-sent, or that responds. It runs only where you select it."
      help={<LearnMore page="scripts" />}
      actions={list}
    >
      <div className="script-examples">
        {scriptExamples.map(({ title, for: purpose, source }) => (
          <button
            key={title}
            type="button"
            className="framed round-m script-example"
            onClick={() => startDraft(source)}
          >
            <b>{title}</b>
            <Text size="s" tone="dim">
              {purposes[purpose]}
            </Text>
          </button>
        ))}
      </div>
      <Row>
        <Button kind="primary" onClick={() => startDraft(emptyScript)}>
          Start empty
        </Button>
      </Row>
    </Page>
  )
}
