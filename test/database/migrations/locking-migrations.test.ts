import { expect, test } from 'vitest'
import { prismaFolder, readMigrations } from '../../../src/database/migrations.ts'
import { findLockingStatements } from '../../support/database/locking-statements.ts'

// Migrations must not lock large tables (docs/operations/upgrade.md#large-databases).

/** The last migration from before this rule. */
const lastWithoutRule = '20261128212900_indexes_of_jobs'

test('no migration since the rule exists locks or rewrites a table that existed before', async () => {
  const migrations = (await readMigrations(prismaFolder)).filter(({ name }) => name > lastWithoutRule)
  for (const { name, sql } of migrations) expect([name, findLockingStatements(sql)]).toEqual([name, []])
})

const refused = [
  'ALTER TABLE "users" ALTER COLUMN "name" TYPE varchar(100);',
  'ALTER TABLE "users" ALTER COLUMN "name" SET DATA TYPE text;',
  'ALTER TABLE "users" ADD COLUMN "a" text, ALTER COLUMN "name" SET NOT NULL;',
  'ALTER TABLE "members" ADD CONSTRAINT "c" FOREIGN KEY ("user_id") REFERENCES "users"("id");',
  'ALTER TABLE "members"\n    ADD CONSTRAINT "c" CHECK ("role" IS NOT NULL);',
  'ALTER TABLE "members" ADD CONSTRAINT "c" UNIQUE ("user_id");',
  'ALTER TABLE "users" ADD COLUMN "key" uuid NOT NULL DEFAULT gen_random_uuid();',
  'ALTER TABLE "users" ADD COLUMN "upper" text GENERATED ALWAYS AS (upper("name")) STORED;',
  '-- Everybody.\nUPDATE "users" SET "name" = trim("name");',
  'DELETE FROM "sessions" WHERE "created_at" < now();',
  'LOCK TABLE "users" IN SHARE MODE;',
  'ALTER TABLE "users" ADD COLUMN "a" text;\nCREATE INDEX "i" ON "users" ("a");',
]
test.each(refused)('refuses %s', (sql) => {
  expect(findLockingStatements(sql)).toHaveLength(1)
})

const accepted = [
  'ALTER TABLE "users" ADD COLUMN "a" text;',
  'ALTER TABLE "users" ADD COLUMN "a" boolean NOT NULL DEFAULT false;',
  'ALTER TABLE "members" ADD CONSTRAINT "c" CHECK ("role" IS NOT NULL) NOT VALID;',
  'ALTER TABLE "members" VALIDATE CONSTRAINT "c";',
  'CREATE INDEX "i" ON "users" ("name");',
  'DROP INDEX "i";',
  'CREATE TABLE "new" ("id" uuid);\nALTER TABLE "new" ADD CONSTRAINT "c" FOREIGN KEY ("id") REFERENCES "users"("id");\nCREATE INDEX "i" ON "new" ("id");',
  'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN\nUPDATE "users" SET "name" = NEW."name";\nRETURN NULL; END $$;',
]
test.each(accepted)('accepts %s', (sql) => {
  expect(findLockingStatements(sql)).toEqual([])
})
