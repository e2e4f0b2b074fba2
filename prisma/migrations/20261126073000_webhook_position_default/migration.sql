-- Backups leave out columns that name transactions: a restored webhook gets the transaction of the restore.
ALTER TABLE "webhooks" ALTER COLUMN "position_transaction_id" SET DEFAULT pg_current_xact_id();
