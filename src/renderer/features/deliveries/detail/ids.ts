/** The longest text that is taken for an id: beyond it nobody copies or searches one. */
export const longestId = 200

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const idName = /(?:^id|Id|ID|Uuid|UUID|_id|_uuid)$/

/** Whether a text that nothing is said about is to be taken for an id: by its form, or by what its key is called. */
export function looksLikeId(key: string, text: string): boolean {
  if (text === '' || text.length > longestId) return false
  return uuid.test(text) || (idName.test(key) && !/\s/.test(text))
}
