import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { readConfig } from '../config/settings.ts'
import { isPlainError, getErrorMessage } from '../config/error-message.ts'
import { migrationDifference } from './apply-migrations.ts'
import { prismaFolder } from './migrations.ts'
import { openDatabase } from './open.ts'

/**
 * Writes the migration from the state of the existing migrations to schema.prisma. Returns the name of its folder, or
 * null if schema.prisma has not changed. Add what schema.prisma cannot express to the file by hand.
 */
export async function createMigration(
  connection: pg.ClientConfig,
  name: string,
  { folder = prismaFolder, now = new Date() } = {},
): Promise<string | null> {
  if (!/^[a-z0-9]+([_-][a-z0-9]+)*$/.test(name))
    throw new Error('the name of a migration must consist of lowercase words, such as add-motto')
  const sql = await migrationDifference(connection, folder)
  if (sql === null) return null
  const directory = `${now.toISOString().replaceAll(/\D/g, '').slice(0, 14)}_${name.replaceAll('-', '_')}`
  await mkdir(path.join(folder, 'migrations', directory))
  await writeFile(path.join(folder, 'migrations', directory, 'migration.sql'), sql)
  return directory
}

/** `npm run migration -- NAME` */
if (import.meta.main) {
  const database = await openDatabase(readConfig(), 'command', console, { migrate: false })
  try {
    const directory = await createMigration(database.poolConfig, process.argv[2] ?? '')
    console.log(directory ? `wrote prisma/migrations/${directory}/migration.sql` : 'schema.prisma has not changed')
  } catch (error) {
    console.error(isPlainError(error) ? getErrorMessage(error) : error)
    process.exitCode = 1
  } finally {
    await database.close()
  }
}
