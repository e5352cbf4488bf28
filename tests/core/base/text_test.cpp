// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <string>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/base/plain_text.h"
#include "core/base/text.h"

using namespace remat;
using nlohmann::json;

class TextTest : public QObject {
    Q_OBJECT

private slots:
    /// Well-formed and ill-formed sequences of RFC 3629 (sections 3 and 4); one U+FFFD for each byte that is none.
    void whatIsNoUtf8IsReplaced()
    {
        for (const char* whole :
            {"", "gpt2", "caf\u00E9", "\u6A21\u578B", "\U0001F600", "\u007F\u0080\u07FF\u0800\uFFFF"})
            QCOMPARE(validUtf8(whole), std::string(whole));
        QCOMPARE(validUtf8("a\xE9z"), std::string("a\uFFFDz"));                           // Latin-1
        QCOMPARE(validUtf8("\x80"), std::string("\uFFFD"));                               // continuation alone
        QCOMPARE(validUtf8("\xE6\xA8"), std::string("\uFFFD\uFFFD"));                     // cut short
        QCOMPARE(validUtf8("\xC0\xAF"), std::string("\uFFFD\uFFFD"));                     // overlong
        QCOMPARE(validUtf8("\xE0\x9F\xBF"), std::string("\uFFFD\uFFFD\uFFFD"));           // overlong
        QCOMPARE(validUtf8("\xED\xA0\x80"), std::string("\uFFFD\uFFFD\uFFFD"));           // surrogate
        QCOMPARE(validUtf8("\xF4\x90\x80\x80"), std::string("\uFFFD\uFFFD\uFFFD\uFFFD")); // above U+10FFFF
    }

    void noCharacterIsCutInTwo()
    {
        const std::string model = "\u6A21\u578B"; // two characters of three bytes
        QCOMPARE(validUtf8(model, 6), model);
        for (const std::size_t most : {3u, 4u, 5u})
            QCOMPARE(validUtf8(model, most), std::string("\u6A21"));
        for (const std::size_t most : {0u, 1u, 2u})
            QCOMPARE(validUtf8(model, most), std::string());
        QCOMPARE(validUtf8("\xFF\xFF", 5), std::string("\uFFFD")); // a replacement has three bytes as well
    }

    /// Unicode's category Cc: U+0000 to U+001F, U+007F to U+009F.
    void controlCharactersBecomeSpaces()
    {
        const std::string plain = "caf\u00E9 \u00A0\u6A21~"; // bytes 0x80 to 0x9F within characters, U+00A0
        QCOMPARE(controlCharacterIn(plain), std::string::npos);
        QCOMPARE(plainText(plain), plain);
        for (int code = 0; code < 0xA0; ++code) {
            const bool isControl = code < 0x20 || code >= 0x7F;
            const std::string text = QString(QStringLiteral("ab") + QChar(code) + QStringLiteral("c")).toStdString();
            QCOMPARE(controlCharacterIn(text), isControl ? std::size_t{2} : std::string::npos);
            QCOMPARE(plainText(text), isControl ? std::string("ab c") : text);
        }
        QCOMPARE(plainText("\n\t"), std::string("  "));
    }

    /// Colours, a title, a cursor that moves up, C1's own escape: all lose what makes them sequences.
    void terminalsAreToldLinesAndNoSequences()
    {
        QCOMPARE(terminalText("two\tcolumns\nand a line\n"), std::string("two\tcolumns\nand a line\n"));
        QCOMPARE(terminalText("\x1b[31mred\x1b]0;title\a\r\x1b[1Aover\u009B2Jgone\x7F"),
            std::string(" [31mred ]0;title   [1Aover 2Jgone "));
        QCOMPARE(terminalText(""), std::string());
    }

    void longTextsEndInDots()
    {
        QCOMPARE(shortened("12345678", 8), std::string("12345678"));
        QCOMPARE(shortened("123456789", 8), std::string("12345..."));
        QCOMPARE(shortened("1234\u6A219", 8), std::string("1234\u6A219"));
        QCOMPARE(shortened("1234\u6A2189", 8), std::string("1234..."));
        QCOMPARE(shortened("\xFF\xFF\xFF", 8), std::string("\uFFFD..."));
    }

    void partsAreJoined()
    {
        QCOMPARE(joined({}), std::string());
        QCOMPARE(joined({"a"}), std::string("a"));
        QCOMPARE(joined({"a", "b", "c"}), std::string("a, b, c"));
        QCOMPARE(joined({"a", "b"}, "+"), std::string("a+b"));
    }

    /// nlohmann's strict dump() would throw type_error.316 here.
    void jsonOfAnyNameCanBeWritten()
    {
        const json object{{"name", "a\xE9z"}};
        QCOMPARE(jsonText(object), std::string("{\"name\":\"a\uFFFDz\"}"));
        QCOMPARE(jsonText(object, 1), std::string("{\n \"name\": \"a\uFFFDz\"\n}"));
        const Result<json> again = parseJson(jsonText(object), "text");
        QVERIFY(again);
        QCOMPARE((*again)["name"].get<std::string>(), std::string("a\uFFFDz"));
    }

    void quotedValuesAreShortAscii()
    {
        QCOMPARE(shownJson(json("\u6A21")), std::string("\"\\u6a21\""));
        QCOMPARE(shownJson(json("\xE9")), std::string("\"\\ufffd\""));
        QCOMPARE(shownJson(json(std::string(100, 'x'))), "\"" + std::string(56, 'x') + "...");
    }

    void absentBytesAreNull()
    {
        const json object{{"none", optionalJson(std::nullopt)}, {"some", optionalJson(Bytes{5})}};
        QCOMPARE(jsonText(object), std::string("{\"none\":null,\"some\":5}"));
        const JsonCursor root(object, "text");
        QVERIFY(!root["none"].optionalBytes());
        QCOMPARE(root["some"].optionalBytes(), std::optional(Bytes{5}));
        QVERIFY(!root.failed());
    }
};

QTEST_APPLESS_MAIN(TextTest)
#include "text_test.moc"
