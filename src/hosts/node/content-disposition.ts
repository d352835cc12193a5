/**
 * Has a browser save what comes, under this name (RFC 6266): for those that read no other, in ASCII, and as it is (RFC 8187). What a folder
 * or a shell would take for more than a name becomes a hyphen.
 */
export function contentDisposition(name: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what must not be in it
  const safe = name.toWellFormed().replaceAll(/[\u0000-\u001f\u007f"*/:<>?\\|]/gu, '-')
  const shown = safe.replace(/^\.+/, '') || 'export'
  const ascii = shown.replaceAll(/[^\x20-\x7e]/gu, '-').replaceAll('%', '-')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(shown)}`
}

/** `ext-value` (RFC 8187, 3.2.1): all but `attr-char` as percent-encoded UTF-8. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
