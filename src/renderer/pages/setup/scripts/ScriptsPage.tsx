import { type ReactNode, useState } from 'react'
import { selectFiles } from '#kit/clipboard.ts'
import { maxScriptLength } from '#contract/constants.ts'
import type { Script } from '#contract/scripts.ts'
import { type ScriptExample, scriptExamples } from '#catalogue/script-examples.ts'
import { toast } from '#kit/toasts.ts'
import { useQuery, useRefresh } from '#client/use-client.ts'
import { newScriptAddress, scriptAddress, scriptPlaceOf } from '#client/addresses/pages.ts'
import { useShell } from '#client/state/app.ts'
import { useEndpointRules } from '#client/state/live-values.ts'
import { Button } from '#kit/Button.tsx'
import { Empty, WhenLoaded } from '#kit/Note.tsx'
import { Icons } from '#kit/icons.tsx'
import { Page } from '#kit/Page.tsx'
import { Shown } from '#kit/Shown.tsx'
import { SideButton, SidePage } from '#kit/SidePage.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'
import { ScriptDetail } from './ScriptDetail.tsx'
import { nameOfFile, usesOf, useScripts } from './store.ts'

const pushes = ['scripts.changed', 'deliveries.changed'] as const
const refreshMs = 200

export function ScriptsPage() {
  const query = useQuery('scripts.list', {})
  useRefresh(null, pushes, refreshMs, query.reload)
  return <WhenLoaded query={query}>{(scripts) => <Loaded scripts={scripts} />}</WhenLoaded>
}

function Loaded({ scripts }: { scripts: readonly Script[] }) {
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

function ScriptList({ scripts, current }: { scripts: readonly Script[]; current: string | null }) {
  const rules = useEndpointRules()
  const edited = useScripts((state) => state.edited)
  return (
    <>
      <div className="flex flex-wrap gap-3 border-b border-line px-5 py-4">
        <a className="button" data-kind="plain" href={newScriptAddress} data-first>
          <Icons.Plus /> New
        </a>
        <Button
          icon={Icons.FileUp}
          onClick={() => selectFiles(openFile, { accept: '.ts,.js,.mts,.mjs' })}
        >
          Open file…
        </Button>
      </div>
      <nav className="min-w-0 overflow-auto" aria-label="Saved scripts" data-scrolls>
        <ul className="lined grid">
          {scripts.map((script) => {
            const [first, ...others] = usesOf(script, rules)
            return (
              <li key={script.name}>
                <a
                  className="list-row text-s"
                  href={scriptAddress(script.name)}
                  aria-current={script.name === current || undefined}
                >
                  <b className="cut">
                    <Shown text={script.name} />
                    {edited[script.name] !== undefined && ' (edited)'}
                  </b>
                  <span className="text-xs wrap-anywhere text-dim">
                    {first === undefined ? (
                      'Not used'
                    ) : (
                      <>
                        Used by <Shown text={first} />
                        {others.length > 0 && ` and ${others.length} more`}
                      </>
                    )}
                    {script.failed && <b className="text-warning"> · failed</b>}
                  </span>
                </a>
              </li>
            )
          })}
        </ul>
      </nav>
    </>
  )
}

function openFile([file]: readonly File[]): void {
  if (!file) return
  if (file.size > maxScriptLength) {
    toast('invalid', `The file is too large. A script has at most ${maxScriptLength} characters.`)
    return
  }
  file.text().then(
    (source) => startDraft(source, nameOfFile(file.name)),
    () => toast('invalid', 'Could not read the file.'),
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

function Examples({ list }: { list: ReactNode }) {
  return (
    <Page
      title="New script"
      lead="A function that changes what is forwarded or re-sent, or that responds. It runs only where you select it."
      help={<LearnMore page="scripts" />}
      actions={list}
    >
      <div className="grid grid-cols-asides gap-4">
        {scriptExamples.map(({ title, for: purpose, source }) => (
          <button
            key={title}
            type="button"
            className="framed grid gap-1 rounded-md bg-surface px-5 py-4 text-start"
            onClick={() => startDraft(source)}
          >
            <b>{title}</b>
            <span className="text-s text-dim">{purposes[purpose]}</span>
          </button>
        ))}
      </div>
      <div className="flex">
        <Button kind="primary" onClick={() => startDraft(emptyScript)}>
          Start empty
        </Button>
      </div>
    </Page>
  )
}
