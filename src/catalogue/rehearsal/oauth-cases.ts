import { rehearsalCaseOf } from './cases.ts'
import type { OAuthCase, RehearsalCase } from './define.ts'

const modules = import.meta.glob<OAuthCase>('./oauth-cases/*.ts', {
  eager: true,
  import: 'default',
})

const numberOf = ({ id }: OAuthCase): number => Number(id.slice(1))

/** In the order in which they run. */
export const oauthCases: readonly OAuthCase[] = Object.values(modules).toSorted(
  (a, b) => numberOf(a) - numberOf(b),
)

/** For webhook handlers or for OAuth clients. */
export function anyCaseOf(
  id: string,
):
  | (Pick<RehearsalCase, 'title' | 'why' | 'basis' | 'quote'> & { readonly group: string })
  | undefined {
  const oauth = oauthCases.find((each) => each.id === id)
  return oauth ? { ...oauth, group: 'oauth' } : rehearsalCaseOf(id)
}
