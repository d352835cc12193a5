import { create } from 'zustand'
import type { ForwardTarget, ResponseRule } from '#contract/endpoint-rules.ts'
import type { Script } from '#contract/scripts.ts'

interface ScriptsState {
  /** What is edited and not saved, by name. */
  readonly edited: Readonly<Record<string, string>>
  /** The script that has no name yet, or comes from a file. Null: not begun. */
  readonly draft: { readonly name: string; readonly source: string } | null
}

/** Survives while the user looks at other pages. */
export const useScripts = create<ScriptsState>(() => ({ edited: {}, draft: null }))

export function setEdited(name: string, source: string | null): void {
  const { [name]: _, ...others } = useScripts.getState().edited
  useScripts.setState({ edited: source === null ? others : { ...others, [name]: source } })
}

interface Rules {
  readonly forwards: readonly Pick<ForwardTarget, 'id' | 'url'>[]
  readonly responses: readonly Pick<ResponseRule, 'id' | 'type'>[]
}

/** What uses a script, in words. Empty: nothing. */
export function usesOf({ usedBy }: Script, { forwards, responses }: Rules): string[] {
  return [
    ...usedBy.responses.map((id) => {
      const type = responses.find((rule) => rule.id === id)?.type
      return `the response rule for ${type ?? 'all types'}`
    }),
    ...usedBy.forwards.map((id) => {
      const url = forwards.find((forward) => forward.id === id)?.url
      return `the forward target ${url ?? id}`
    }),
  ]
}

/** A name for a file, without its folder and ending; at most 60 characters that a name may have. */
export function nameOfFile(file: string): string {
  const name = file.replace(/\.[cm]?[jt]s$/i, '').replaceAll(/[^A-Za-z0-9 ._-]/g, '-')
  return name.replace(/^[^A-Za-z0-9]{1,60}/, '').slice(0, 60)
}
