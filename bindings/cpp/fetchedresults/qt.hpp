// Item models for Qt 6 and Qt 5.15, which show lists: headers alone, and without moc. They need
// Qt6Core or Qt5Core.
//
// #include <fetchedresults/qt.hpp> beside fetchedresults.hpp; docs/qt.md describes them.
#ifndef FETCHEDRESULTS_QT_HPP
#define FETCHEDRESULTS_QT_HPP

#include "qt_dispatcher.hpp"
#include "qt_list_model.hpp"
#include "qt_tree_model.hpp"

#endif
