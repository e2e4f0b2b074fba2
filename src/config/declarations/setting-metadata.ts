import { z } from 'zod'

interface Metadata {
  /** Name of the environment variable. */
  variable: string
  /** Description in docs/operations/settings.md. */
  description: string
  /** True for a secret. Error messages do not repeat its value, and it can be in a file, specified by a variable that ends in `_FILE`. */
  isSecret?: boolean
}

/** Data of each setting for docs/operations/settings.md and error messages. */
export const metadata = z.registry<Metadata>()
