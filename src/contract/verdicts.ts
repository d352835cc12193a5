/**
 * The outcome of the signature check (SPEC, "Signature verification"). `missing`: a secret is set, and no signature came. `unsigned`: no
 * secret is set, and no signature came. `unchecked`: a signature came, and there was no secret to check it with.
 */
export const verdicts = ['valid', 'invalid', 'missing', 'unsigned', 'unchecked'] as const
