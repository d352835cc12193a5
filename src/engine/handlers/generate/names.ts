/** `ORDER_PLACED`, `orderName` and `order-name` as words in lower case. */
export function partsOf(text: string): string[] {
  const words: string[] = []
  let word = ''
  let before = ''
  for (const character of text) {
    const isLetter = /[A-Za-z0-9]/.test(character)
    const startsWord = /[A-Z]/.test(character) && /[a-z0-9]/.test(before)
    if (word !== '' && (!isLetter || startsWord)) {
      words.push(word.toLowerCase())
      word = ''
    }
    if (isLetter) word += character
    before = character
  }
  if (word !== '') words.push(word.toLowerCase())
  return words
}

export function pascalCase(text: string): string {
  return partsOf(text)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

export function camelCase(text: string): string {
  const name = pascalCase(text)
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

export function snakeCase(text: string): string {
  return partsOf(text).join('_')
}

/**
 * A name for each key, in order. A reserved word, a name that starts with a digit, an empty one, and one that another key has already get an ending or a
 * beginning that makes them valid.
 */
export function namesOf(
  keys: readonly string[],
  toName: (key: string) => string,
  reserved: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const used = new Set<string>()
  return new Map(
    keys.map((key) => {
      let name = toName(key)
      if (!/^[A-Za-z_]/.test(name)) name = `${toName('field')}${name}`
      while (used.has(name) || reserved.has(name)) name += '_'
      used.add(name)
      return [key, name]
    }),
  )
}
