type Code = 'damaged_backup' | 'wrong_passphrase' | 'not_a_backup' | 'newer_backup' | 'not_empty' | 'secret_key_differs'

/** The error for a file that cannot be restored. The database and the data folder are unchanged. */
export class BackupError extends Error {
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const damaged = (detail: string) => new BackupError('damaged_backup', `the backup is damaged or incomplete: ${detail}`)
