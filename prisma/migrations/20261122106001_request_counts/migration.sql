-- UNLOGGED: the counts live for a minute and change all the time. Losing them in a crash resets a limit and nothing else.
CREATE UNLOGGED TABLE "request_counts" (
    "credential_id" TEXT NOT NULL,
    "requests" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_counts_pkey" PRIMARY KEY ("credential_id")
);

-- CreateIndex
CREATE INDEX "request_counts_ends_at_idx" ON "request_counts"("ends_at");
