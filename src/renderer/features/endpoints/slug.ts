const longest = 63

/** A slug made of a name: "POS hook 2" becomes "pos-hook-2". May be empty. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replaceAll(/^-+|(?<!-)-+$/g, '')
}
