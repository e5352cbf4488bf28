// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/format_units.h"

using namespace remat;
using namespace remat::literals;

/// Expected texts are rounded by hand to three significant digits.
class FormatUnitsTest : public QObject {
    Q_OBJECT

private slots:
    void bytesHaveThreeDigits_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("binary");
        QTest::addColumn<QString>("decimal");
        const qint64 kib = 1024, mib = 1024 * kib, gib = 1024 * mib;
        const auto row = [](qint64 bytes, const char* binary, const char* decimal) {
            QTest::addRow("%lld", static_cast<long long>(bytes)) << bytes << binary << decimal;
        };
        row(0, "0 B", "0 B");
        row(1, "1 B", "1 B");
        row(999, "999 B", "999 B");
        row(1000, "1000 B", "1.00 kB");
        row(1023, "1023 B", "1.02 kB");
        row(kib, "1.00 KiB", "1.02 kB");
        row(1536, "1.50 KiB", "1.54 kB");
        row(10 * kib, "10.0 KiB", "10.2 kB");
        row(100 * kib, "100 KiB", "102 kB");
        row(999'499, "976 KiB", "999 kB");
        row(999'500, "976 KiB", "1.00 MB");
        row(1001 * mib, "1001 MiB", "1.05 GB");
        row(1023 * mib + 511 * kib, "1023 MiB", "1.07 GB");
        row(1023 * mib + 512 * kib, "1.00 GiB", "1.07 GB");
        row(-3 * gib, "-3.00 GiB", "-3.22 GB");
        row(qint64{1} << 61, "2048 PiB", "2306 PB");
    }

    void bytesHaveThreeDigits()
    {
        QFETCH(qint64, bytes);
        QFETCH(QString, binary);
        QFETCH(QString, decimal);
        QCOMPARE(QString::fromStdString(formatBytes({bytes})), binary);
        QCOMPARE(QString::fromStdString(formatBytes({bytes}, ByteUnits::Decimal)), decimal);
    }

    void durationsAndFlops()
    {
        QCOMPARE(formatDuration({0}), std::string("0 ns"));
        QCOMPARE(formatDuration({999}), std::string("999 ns"));
        QCOMPARE(formatDuration({1000}), std::string("1.00 us"));
        QCOMPARE(formatDuration({28'040}), std::string("28.0 us"));
        QCOMPARE(formatDuration({999'499'999}), std::string("999 ms"));
        QCOMPARE(formatDuration({999'500'000}), std::string("1.00 s"));
        QCOMPARE(formatDuration({7'200'000'000'000}), std::string("7200 s"));
        QCOMPARE(formatFlops({1'900'000'000'000}), std::string("1.90 TFLOP"));
    }

    void threeDigitsStayThree()
    {
        QCOMPARE(formatThreeDigits(9.994), std::string("9.99"));
        QCOMPARE(formatThreeDigits(9.996), std::string("10.0"));
        QCOMPARE(formatThreeDigits(99.94), std::string("99.9"));
        QCOMPARE(formatThreeDigits(99.96), std::string("100"));
        QCOMPARE(formatThreeDigits(1234.4), std::string("1234"));
        QCOMPARE(formatThreeDigits(-0.5), std::string("-0.50"));
    }

    void percentsHaveASign()
    {
        QCOMPARE(formatPercent(0.034), std::string("+3.4 %"));
        QCOMPARE(formatPercent(-0.021), std::string("\u22122.1 %"));
        QCOMPARE(formatPercent(0), std::string("+0.0 %"));
        QCOMPARE(formatPercent(-0.0004), std::string("+0.0 %"));
        QCOMPARE(formatPercent(1.5), std::string("+150.0 %"));
    }

    void adviceIsNeverTooSmall()
    {
        for (std::int64_t bytes = 1; bytes < (std::int64_t{1} << 45); bytes += bytes / 3 + 7) {
            const Bytes advice = roundedUpAsPrinted({bytes});
            QVERIFY(advice >= Bytes{bytes});
            QCOMPARE(parseBytes(formatBytes(advice)).value(), advice);
            QVERIFY(advice.value - bytes <= bytes / 50 + 1);
        }
    }

    void adviceIsNeverTooLarge()
    {
        for (std::int64_t bytes = 1; bytes < (std::int64_t{1} << 45); bytes += bytes / 3 + 7) {
            const Bytes advice = roundedDownAsPrinted({bytes});
            QVERIFY(advice <= Bytes{bytes});
            QCOMPARE(parseBytes(formatBytes(advice)).value(), advice);
            QVERIFY(bytes - advice.value <= bytes / 50 + 1);
        }
        QCOMPARE(roundedDownAsPrinted({0}), Bytes{0});
    }

    void unitsAreKnownWords()
    {
        for (const char* unit : {"B", "KiB", "g", "GB", "t"})
            QVERIFY2(isByteUnit(unit), unit);
        for (const char* word : {"", "Gi", "5", "plan.json"})
            QVERIFY2(!isByteUnit(word), word);
    }

    void sizesAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes");
        const auto row = [](const char* text, qint64 bytes) { QTest::newRow(text) << text << bytes; };
        row("0", 0);
        row("512", 512);
        row("8GiB", 8589934592);
        row("8.5 GiB", 9126805504);
        row(" 100MB ", 100'000'000);
        row("1kB", 1000);
        row("1KiB", 1024);
        row("1e3", 1000);
        row("2TB", 2'000'000'000'000);
        row("2305843009213693951", 2305843009213693951); // 2^61 - 1 survives, though a double has 53 bits
        row("2305843009213693952B", 2305843009213693952);
        row("0.5B", 1); // halves away from zero
        // The letter alone is a power of 1024; case means nothing.
        row("6G", 6442450944);
        row("6g", 6442450944);
        row("1.5M", 1572864);
        row("2K", 2048);
        row("1T", 1099511627776);
        row("6gb", 6'000'000'000);
        row("1KB", 1000);
        row("8 gib", 8589934592);
        row("8GIB", 8589934592);
        row("7b", 7);
    }

    void sizesAreRead()
    {
        QFETCH(QString, text);
        QFETCH(qint64, bytes);
        const Result<Bytes> read = parseBytes(text.toStdString());
        QVERIFY(read);
        QCOMPARE(qint64{read->value}, bytes);
    }

    void otherTextsAreRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        for (const char* text :
            {"", "GiB", "8Gi", "8Q", "8GG", "8GiB8", "eight", "nan", "inf", "--1", "8,5GiB", "0x10"})
            QTest::newRow(text) << text << "not-a-size";
        for (const char* text : {"-1", "-0.1MB", "2305843009213693953", "1e30", "1e999", "3000000TiB"})
            QTest::newRow(text) << text << "size-out-of-range";
    }

    void otherTextsAreRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, code);
        const Result<Bytes> read = parseBytes(text.toStdString());
        QVERIFY(!read);
        QCOMPARE(QString::fromUtf8(read.error().code->name.data()), code);
        QCOMPARE(static_cast<int>(read.error().exitCode()), 2);
    }
};

QTEST_APPLESS_MAIN(FormatUnitsTest)
#include "format_units_test.moc"
