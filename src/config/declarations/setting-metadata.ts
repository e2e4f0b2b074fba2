import { z } from 'zod'

interface Metadata {
  /** Name of the environment variable. */
  variable: string
  /** Description in docs/operations/settings.md. */
  description: string
  /** Error messages do not repeat the value of a secret, and it can be in a file, which the variable with the ending `_FILE` names. */
  isSecret?: boolean
}

/** What docs/operations/settings.md and error messages say about each setting. */
export const metadata = z.registry<Metadata>()
