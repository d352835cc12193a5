import { type ReactNode, Suspense, useState } from 'react'
import type { Script, ScriptFailure } from '#contract/scripts.ts'
import { CallError } from '#client/client.ts'
import { toast, toastError } from '#kit/toasts.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { saveFile } from '#kit/clipboard.ts'
import { newScriptAddress, scriptAddress } from '#client/addresses/pages.ts'
import { useCan } from '#client/state/app.ts'
import { useIntegration } from '#client/state/authorization.ts'
import { useEndpointRules } from '#client/state/live-values.ts'
import { Button } from '#kit/Button.tsx'
import { confirm } from '#kit/Confirm.tsx'
import { ErrorNote } from '#kit/Note.tsx'
import { Field } from '#kit/Field.tsx'
import { Icons } from '#kit/icons.tsx'
import { Shown } from '#kit/Shown.tsx'
import { escapeControls } from '#kit/text/visible.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { ScriptFailed } from '#parts/ScriptField.tsx'
import { RunPanel, useRun } from './RunPanel.tsx'
import { ScriptEditor } from './ScriptEditor.tsx'
import { setEdited, usesOf, useScripts } from './store.ts'

interface Props {
  /** Null: the draft, which has no name yet. */
  script: Script | null
  scripts: readonly Script[]
  /** The button that shows the list in a narrow window. */
  list: ReactNode
}

/** Keyed by its name. */
export function ScriptDetail({ script, scripts, list }: Props) {
  const draft = useScripts((state) => state.draft)
  const edited = useScripts((state) => (script ? state.edited[script.name] : undefined))
  const source = (script ? (edited ?? script.source) : draft?.source) ?? ''
  const [saveFailure, setSaveFailure] = useState<ScriptFailure | null>(null)
  const run = useRun(source)
  const brand = useIntegration()?.brand ?? 'Service'
  const change = (text: string): void => {
    if (script) setEdited(script.name, text === script.source ? null : text)
    else useScripts.setState({ draft: { name: draft?.name ?? '', source: text } })
  }
  const start = (): void => {
    setSaveFailure(null)
    run.start()
  }
  const result = run.last?.run.result
  return (
    <div className="grid min-h-0 min-w-0 grid-rows-auto-1 gap-5 px-7 py-6">
      <Head
        script={script}
        scripts={scripts}
        source={source}
        list={list}
        onFailure={setSaveFailure}
      />
      <div className="grid min-h-0 grid-cols-2 gap-6 below-1280:grid-cols-1 below-1280:grid-rows-2 [&>section]:content-start [&>section]:overflow-x-hidden [&>section]:overflow-y-auto">
        <ScriptEditor
          text={source}
          subject={{ brand: run.delivery?.brand ?? brand, type: run.delivery?.type ?? null }}
          failure={saveFailure ?? (result?.kind === 'failed' ? result.failure : null)}
          onChange={change}
          onRun={start}
        />
        <Suspense>
          <RunPanel run={run} onRun={start} />
        </Suspense>
      </div>
    </div>
  )
}

interface HeadProps extends Props {
  source: string
  onFailure: (failure: ScriptFailure | null) => void
}

function Head({ script, scripts, source, list, onFailure }: HeadProps) {
  const client = useClient()
  const rules = useEndpointRules()
  const dialogs = useCan('nativeDialogs')
  const name = useScripts(({ draft }) => script?.name ?? draft?.name ?? '').trim()
  const replaced = scripts.find((each) => each.name === name)
  const uses = replaced ? usesOf(replaced, rules) : []
  const save = useAction(async () => {
    onFailure(null)
    try {
      await client.call('scripts.save', { name, source, replace: replaced !== undefined })
    } catch (error) {
      onFailure(failureOf(error))
      throw error
    }
    setEdited(name, null)
    if (!script) {
      useScripts.setState({ draft: null })
      location.assign(scriptAddress(name))
    }
    toast('valid', `Saved “${name}”.`)
  })
  const asks = replaced !== undefined && (script === null || uses.length > 0)
  const replace = (): void =>
    confirm({
      title: `Replace “${escapeControls(name)}”?`,
      description:
        uses.length === 0
          ? 'A script with this name exists. Nothing uses it.'
          : escapeControls(
              `It is used by ${uses.join(', ')}, with the new source from the next delivery on.`,
            ),
      action: 'Replace',
      // An error is shown on the page, next to the source.
      run: () => save.start(),
    })
  const remove = (): void =>
    confirm({
      title: 'Delete this script?',
      description: 'Nothing uses it. Its source cannot be restored.',
      action: 'Delete',
      async run() {
        await client.call('scripts.remove', { name })
        setEdited(name, null)
        location.assign('#/setup/scripts')
      },
    })
  return (
    <header className="grid gap-3">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="flex min-h-0 min-w-0 flex-1 items-end gap-4">
          {list}
          {script ? (
            <div className="min-w-0">
              <h2 className="text-xl wrap-anywhere">
                <Shown text={script.name} />
              </h2>
              <p className="text-s wrap-anywhere text-mid">
                {uses.length === 0 ? (
                  <>
                    Not used. Select it in a response rule or forward target of the page{' '}
                    <a href="#/setup/endpoints">Endpoints</a>, or when you re-send.
                  </>
                ) : (
                  <>
                    Used by <Shown text={uses.join(', ')} />.
                  </>
                )}{' '}
                <LearnMore page="scripts" />
                <ScriptFailed failed={script.failed} />
              </p>
            </div>
          ) : (
            <Field
              label="Name"
              value={name}
              maxLength={60}
              onChange={({ target }) =>
                useScripts.setState({ draft: { name: target.value, source } })
              }
            />
          )}
        </div>
        <div className="flex flex-none items-center gap-3">
          <Button
            kind="primary"
            busy={save.busy}
            disabled={name === '' || source === script?.source}
            onClick={() => (asks ? replace() : save.start())}
          >
            Save
          </Button>
          {script ? (
            <>
              <Button
                icon={Icons.Download}
                onClick={() =>
                  void client
                    .call('scripts.export', { name, to: dialogs ? 'ask' : 'bytes' })
                    .then(saveFile, toastError)
                }
              >
                Save as file…
              </Button>
              <Button
                kind="quiet"
                icon={Icons.Trash2}
                disabled={uses.length > 0}
                title={uses.length > 0 ? 'It is in use. Remove it there first.' : undefined}
                onClick={remove}
              >
                Delete…
              </Button>
            </>
          ) : (
            <Button kind="quiet" onClick={discard}>
              Discard
            </Button>
          )}
        </div>
      </div>
      <ErrorNote error={save.error} />
    </header>
  )
}

function discard(): void {
  useScripts.setState({ draft: null })
  location.assign(newScriptAddress)
}

/** Where a source that cannot be compiled is wrong; null: another error. */
function failureOf(error: unknown): ScriptFailure | null {
  if (!(error instanceof CallError)) return null
  const { line, column } = error.details ?? {}
  if (typeof line !== 'number') return null
  return {
    code: 'syntax',
    message: error.message,
    line,
    column: typeof column === 'number' ? column : null,
  }
}
