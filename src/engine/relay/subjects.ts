/** What a key may read: one subject for each consumer. */
export function subjectsOf({ endpoints }: { readonly endpoints: readonly string[] }): string[] {
  return endpoints.includes('*') ? ['hooks.*'] : endpoints.map((slug) => `hooks.${slug}`)
}
